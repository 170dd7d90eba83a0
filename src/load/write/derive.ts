import { COMPARED_METRICS, metricIndex } from '../../core/metrics.js';
import { roundTo } from '../../core/rounding.js';
import { SCOPES, type Scope } from '../../core/scopes.js';
import { rank0to1, rankInTenths, roundedMean, sdohIndex, sortedKnown } from '../../core/statistics.js';
import type { Area } from '../../format/description.js';
import { NO_RANK } from '../../format/tracts-file.js';

const INDEX_DECIMALS = 4;
const AVERAGE_DECIMALS = 4;

/**
 * Fills the `sdoh_index` column from the others: the mean of the national percentile ranks of the poverty, uninsured and
 * unemployment rates and of SVI's overall rank, if at least two of these are known.
 */
export function deriveSdohIndex(values: readonly Float64Array[]): void {
  const column = (path: string): Float64Array => values[metricIndex(path)] ?? new Float64Array();
  const ranked = ['poverty_rate', 'uninsured_rate', 'unemployment_rate'].map((path) => ({
    column: column(path),
    sorted: sortedKnown(column(path)),
  }));
  const vulnerability = column('svi_themes.rpl_themes');
  const target = column('sdoh_index');
  for (let row = 0; row < target.length; row++) {
    const components = ranked.map((metric) => rank0to1(metric.sorted, metric.column[row] ?? Number.NaN));
    target[row] = roundTo(sdohIndex([...components, vulnerability[row] ?? Number.NaN]), INDEX_DECIMALS);
  }
}

/** The areas of each scope; the nation is a single area that holds every row. */
export type ScopeAreas = Readonly<Record<Scope, readonly Pick<Area, 'firstRow' | 'tractCount'>[]>>;

/** Every row's percentile ranks (share of values strictly below, in tenths of a percent) by metric and scope, row-major. */
export function deriveRanks(values: readonly Float64Array[], areas: ScopeAreas): Uint16Array {
  const rows = values[0]?.length ?? 0;
  const width = COMPARED_METRICS.length * SCOPES.length;
  const ranks = new Uint16Array(rows * width).fill(NO_RANK);
  COMPARED_METRICS.forEach((metric, metricAt) => {
    const column = values[metricIndex(metric.path)] ?? new Float64Array();
    SCOPES.forEach((scope, scopeAt) => {
      for (const area of areas[scope]) {
        const sorted = sortedKnown(column.subarray(area.firstRow, area.firstRow + area.tractCount));
        for (let row = area.firstRow; row < area.firstRow + area.tractCount; row++) {
          const rank = rankInTenths(sorted, column[row] ?? Number.NaN);
          if (!Number.isNaN(rank)) ranks[row * width + metricAt * SCOPES.length + scopeAt] = rank;
        }
      }
    });
  });
  return ranks;
}

/** Unweighted means by scope, area and compared metric, to four decimals. */
export function deriveAverages(values: readonly Float64Array[], areas: ScopeAreas): Record<Scope, Float64Array> {
  const ofScope = (scope: Scope): Float64Array =>
    Float64Array.from(
      areas[scope].flatMap((area) =>
        COMPARED_METRICS.map((metric) => {
          const column = values[metricIndex(metric.path)] ?? new Float64Array();
          return roundedMean(column.subarray(area.firstRow, area.firstRow + area.tractCount), AVERAGE_DECIMALS);
        }),
      ),
    );
  return { county: ofScope('county'), state: ofScope('state'), national: ofScope('national') };
}
