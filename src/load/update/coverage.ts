import { METRICS } from '../../core/metrics.js';
import { countKnown } from '../../core/statistics.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { OutlinesFile } from '../../format/outlines-file.js';
import type { ProvidersFile } from '../../format/providers-file.js';
import type { TractsFile } from '../../format/tracts-file.js';

/** How much of something a dataset has in an area. */
export interface Coverage {
  /** A state's FIPS code, or `US`. */
  readonly area: string;
  /** A metric's path, `tracts`, `outlines`, `providers` or `address ranges`. */
  readonly what: string;
  readonly count: number;
}

/**
 * Counts by state the dataset's tracts, those with an outline and with a value of each metric, the providers in them, and
 * the address ranges; also all providers of the nation, since some are in no tract. Counted by state because the loss of a
 * whole state would be only a small share of the nation.
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
  ]);
  return [
    ...byState,
    { area: 'US', what: 'providers', count: providerRows.length },
    ...(addresses?.shards ?? []).map(({ stateFips, rangeCount }) => ({
      area: stateFips,
      what: 'address ranges',
      count: rangeCount,
    })),
  ];
}

/** The parts of a dataset whose coverage is measured. */
export interface CoveredDataset {
  readonly tracts: Pick<TractsFile, 'description' | 'tractCount' | 'values'>;
  readonly outlines: Pick<OutlinesFile, 'rings'>;
  readonly providers: Pick<ProvidersFile, 'tracts'> | undefined;
  readonly addresses: { readonly shards: readonly Pick<AddressShard, 'stateFips' | 'rangeCount'>[] } | undefined;
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

const sum = (counts: Uint32Array): number => counts.reduce((total, count) => total + count, 0);

/** Something that a new dataset has less of. */
export interface CoverageLoss {
  readonly area: string;
  readonly what: string;
  readonly before: number;
  readonly after: number;
  /** The lost share of what there was before, 0 to 1. */
  readonly lostShare: number;
}

/** Finds everything that there is less of than before; the greatest lost share first. */
export function findLosses(before: readonly Coverage[], after: readonly Coverage[]): CoverageLoss[] {
  const key = ({ area, what }: Coverage): string => `${area} ${what}`;
  const now = new Map(after.map((entry) => [key(entry), entry.count]));
  return before
    .map((entry) => {
      const { area, what, count } = entry;
      const left = now.get(key(entry)) ?? 0;
      return { area, what, before: count, after: left, lostShare: count === 0 ? 0 : (count - left) / count };
    })
    .filter(({ lostShare }) => lostShare > 0)
    .sort((a, b) => b.lostShare - a.lostShare || b.before - a.before);
}
