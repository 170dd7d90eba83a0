import { METRICS, TREND_METRICS } from '../../core/metrics.js';
import { countKnown } from '../../core/statistics.js';
import { sum } from '../../core/sum.js';
import { type AddressShard, UNKNOWN_ZIP } from '../../format/addresses/shard.js';
import type { OutlinesFile } from '../../format/outlines-file.js';
import type { ProvidersFile } from '../../format/providers-file.js';
import type { TractsFile } from '../../format/tracts-file.js';

/** How much of something a dataset has in an area. */
export interface Coverage {
  /** A state's FIPS code, or `US`. */
  readonly area: string;
  /** A metric's path, also with the year of a trend (`poverty_rate of 2015`), `tracts`, `outlines`, `providers`, `address ranges`. */
  readonly what: string;
  readonly count: number;
  /** What else is counted that this is a part of: the metric itself, of one of its years; the ranges, of those with a ZIP. */
  readonly partOf?: string;
}

/**
 * Counts by state the dataset's tracts, those with an outline, with a value of each metric and with one in each year of the
 * trends, the providers in them, and the address ranges, those with a ZIP, and those whose ZIP has a city; also all providers
 * of the nation, since some are in no tract. Counted by state because the loss of a whole state would be only a small share
 * of the nation.
 */
export function measureCoverage({ tracts, outlines, providers, addresses }: CoveredDataset): Coverage[] {
  const providerRows = providers?.tracts ?? [];
  const providersOf = countByRow(providerRows, tracts.tractCount);
  const byState = tracts.description.states.flatMap(({ fips, firstRow, tractCount }): Coverage[] => [
    { area: fips, what: 'tracts', count: tractCount },
    { area: fips, what: 'outlines', count: countOutlines(outlines, firstRow, tractCount) },
    { area: fips, what: 'providers', count: sum(providersOf.subarray(firstRow, firstRow + tractCount)) },
    ...METRICS.map(({ path }, at) => ({
      area: fips,
      what: path,
      count: countKnown(tracts.values[at]?.subarray(firstRow, firstRow + tractCount) ?? []),
    })),
    ...measureTrends(tracts, fips, firstRow, tractCount),
  ]);
  return [
    ...byState,
    { area: 'US', what: 'providers', count: providerRows.length },
    ...(addresses?.shards ?? []).flatMap(measureAddresses),
  ];
}

/** The parts of a dataset whose coverage is measured. */
export interface CoveredDataset {
  readonly tracts: Pick<TractsFile, 'description' | 'tractCount' | 'values' | 'trendYears' | 'trendValues'>;
  readonly outlines: Pick<OutlinesFile, 'rings'>;
  readonly providers: Pick<ProvidersFile, 'tracts'> | undefined;
  readonly addresses: { readonly shards: readonly CoveredShard[] } | undefined;
}

interface CoveredShard extends Pick<AddressShard, 'stateFips' | 'rangeCount' | 'runZips' | 'runRanges'> {
  readonly zips: Pick<AddressShard['zips'], 'find' | 'mainCityOf'>;
}

function measureTrends(
  { trendYears, trendValues }: CoveredDataset['tracts'],
  area: string,
  firstRow: number,
  count: number,
): Coverage[] {
  const width = trendYears.length * TREND_METRICS.length;
  return [...trendYears].flatMap((year, yearAt) =>
    TREND_METRICS.map(({ path }, metricAt) => {
      const column = yearAt * TREND_METRICS.length + metricAt;
      const values = Array.from(
        { length: count },
        (_, at) => trendValues[(firstRow + at) * width + column] ?? Number.NaN,
      );
      return { area, what: `${path} of ${year}`, count: countKnown(values), partOf: path };
    }),
  );
}

function measureAddresses({ stateFips: area, rangeCount, runZips, runRanges, zips }: CoveredShard): Coverage[] {
  let [withZip, withCity] = [0, 0];
  for (const [run, zip] of runZips.entries()) {
    if (zip === UNKNOWN_ZIP) continue;
    const ranges = (runRanges[run + 1] ?? 0) - (runRanges[run] ?? 0);
    withZip += ranges;
    if (zips.mainCityOf(zips.find(zip)) >= 0) withCity += ranges;
  }
  const [all, zipped] = ['address ranges', 'address ranges with a ZIP'];
  return [
    { area, what: all, count: rangeCount },
    { area, what: zipped, count: withZip, partOf: all },
    { area, what: 'address ranges whose ZIP has a city', count: withCity, partOf: zipped },
  ];
}

/** Counts how often each row occurs; row numbers out of range are ignored. */
function countByRow(rows: ArrayLike<number>, rowCount: number): Uint32Array {
  const counts = new Uint32Array(rowCount);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? rowCount;
    if (row < rowCount) counts[row] = (counts[row] ?? 0) + 1;
  }
  return counts;
}

function countOutlines(outlines: CoveredDataset['outlines'], firstRow: number, count: number): number {
  let found = 0;
  for (let row = firstRow; row < firstRow + count; row++) if (outlines.rings(row).length > 0) found++;
  return found;
}

/** Something that a new dataset has less of. */
export interface CoverageLoss {
  readonly area: string;
  readonly what: string;
  readonly before: number;
  readonly after: number;
  /** The lost share of what there was before, 0 to 1. */
  readonly lostShare: number;
}

/** Losses up to this share, of anything in a state, are ignored: a few tracts' values come and go between vintages. */
export const SMALL_LOSS_SHARE = 0.02;

/**
 * Finds everything that there is less of than before; the greatest lost share first. The loss of a part is left out where
 * that of the whole is as great: a metric's newest year is usually both, and streets are lost with their ZIPs. It is not
 * left out where it alone is more than the tolerated share: the little that the whole has lost may be something else.
 */
export function findLosses(
  before: readonly Coverage[],
  after: readonly Coverage[],
  toleratedShare = SMALL_LOSS_SHARE,
): CoverageLoss[] {
  const key = (area: string, what: string): string => `${area} ${what}`;
  const now = new Map(after.map(({ area, what, count }) => [key(area, what), count]));
  const losses = before.map(({ area, what, count, partOf }) => {
    const loss = count - (now.get(key(area, what)) ?? 0);
    return { area, what, partOf, before: count, after: count - loss, lostShare: count === 0 ? 0 : loss / count };
  });
  const lossOf = new Map(losses.map((loss) => [key(loss.area, loss.what), loss]));
  const isTold = ({ area, partOf, ...part }: (typeof losses)[number]): boolean => {
    const whole = partOf === undefined ? undefined : lossOf.get(key(area, partOf));
    if (!whole || whole.before - whole.after < part.before - part.after) return true;
    return whole.lostShare <= toleratedShare && part.lostShare > toleratedShare;
  };
  return losses
    .filter((loss) => loss.lostShare > 0 && isTold(loss))
    .map(({ partOf: _, ...loss }) => loss)
    .sort((a, b) => b.lostShare - a.lostShare || b.before - a.before);
}
