import type { LoadedSource } from '../../src/core/loaded-source.js';
import { COMPARED_METRICS, METRICS, metricIndex, TREND_METRICS } from '../../src/core/metrics.js';
import type { Area, ProvenanceEntry } from '../../src/format/description.js';
import type { TractsFile } from '../../src/format/tracts-file.js';
import { deriveAverages, deriveRanks } from '../../src/load/write/derive.js';
import { textTable } from './text-table.js';
import { writtenSummaries } from './written-summaries.js';

/** A tract as a test specifies it. */
export interface MadeUpTract {
  /** Eleven digits. Tracts must be in ascending order of GEOIDs. */
  readonly geoid: string;
  /** Values by metric path; metrics that are left out are missing. */
  readonly values?: Readonly<Record<string, number>>;
  /** Trend values by year and metric path. */
  readonly trend?: Readonly<Record<number, Readonly<Record<string, number>>>>;
}

export interface MadeUpOptions {
  /** County names by five-digit county FIPS; the default is `Made-up County`. */
  readonly countyNames?: Readonly<Record<string, string>>;
  readonly trendYears?: readonly number[];
  readonly provenance?: readonly ProvenanceEntry[];
  readonly loadedSources?: readonly LoadedSource[];
  /** The name of all tracts; the default is `Tract <geoid>`. */
  readonly name?: string;
}

/** A tracts file's contents, made in memory from the given tracts, with ranks and averages as the loader derives them. */
export function madeUpTracts(tracts: readonly MadeUpTract[], options: MadeUpOptions = {}) {
  const { countyNames = {}, trendYears = [], provenance = [], loadedSources = [], name } = options;
  const states = areasOf(tracts, 2, () => 'Made-up State');
  const counties = areasOf(tracts, 5, (fips) => countyNames[fips] ?? 'Made-up County');
  const values = METRICS.map(({ path }) => Float64Array.from(tracts, (tract) => tract.values?.[path] ?? Number.NaN));
  const areas = { county: counties, state: states, national: [{ firstRow: 0, tractCount: tracts.length }] };
  const geoids = Float64Array.from(tracts, ({ geoid }) => Number(geoid));
  const names = textTable((row) => name ?? `Tract ${tracts[row]?.geoid}`);
  return {
    tractCount: tracts.length,
    description: {
      synthetic: true,
      states,
      counties,
      metrics: METRICS.map(({ path }) => path),
      comparedMetrics: COMPARED_METRICS.map(({ path }) => path),
      trendMetrics: TREND_METRICS.map(({ path }) => path),
      provenance,
      loadedSources,
      namesEdition: 0,
    },
    geoids,
    counties: Uint16Array.from(tracts, ({ geoid }) => counties.findIndex(({ fips }) => geoid.startsWith(fips))),
    names,
    values,
    summaries: writtenSummaries({ geoids, values, names }),
    ranks: deriveRanks(values, areas),
    averages: deriveAverages(values, areas),
    trendYears: Uint16Array.from(trendYears),
    trendValues: Float64Array.from(
      tracts.flatMap(({ trend }) =>
        trendYears.flatMap((year) => TREND_METRICS.map(({ path }) => trend?.[year]?.[path] ?? Number.NaN)),
      ),
    ),
  } satisfies Partial<TractsFile>;
}

/** The value given for a tract, as answers show it: null if missing. */
export function givenValue(tract: MadeUpTract | undefined, path: string): number | null {
  return tract?.values?.[METRICS[metricIndex(path)]?.path ?? ''] ?? null;
}

function areasOf(tracts: readonly MadeUpTract[], digits: number, nameOf: (fips: string) => string): Area[] {
  const codes = [...new Set(tracts.map(({ geoid }) => geoid.slice(0, digits)))];
  return codes.map((fips) => ({
    fips,
    name: nameOf(fips),
    firstRow: tracts.findIndex(({ geoid }) => geoid.startsWith(fips)),
    tractCount: tracts.filter(({ geoid }) => geoid.startsWith(fips)).length,
  }));
}
