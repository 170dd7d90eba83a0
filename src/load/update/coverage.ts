import { METRICS } from '../../core/metrics.js';
import type { Dataset } from '../../format/dataset.js';

/** How much of something a dataset has. */
export interface Coverage {
  /** A state's two digits; `US` for what is counted for the nation alone. */
  readonly area: string;
  /** A metric's path, `tracts`, `outlines`, `providers` or `address ranges`. */
  readonly what: string;
  readonly count: number;
}

/**
 * What a dataset covers: by state its tracts, and the tracts that have a value of each metric; outlines and providers of
 * the nation; address ranges by state. A state that is lost is a small part of the nation: that is why states are looked at.
 */
export function measureCoverage({ tracts, outlines, providers, addresses }: CoveredDataset): Coverage[] {
  const byState = tracts.description.states.flatMap(({ fips, firstRow, tractCount }): Coverage[] => [
    { area: fips, what: 'tracts', count: tractCount },
    ...METRICS.map(({ path }, at) => ({
      area: fips,
      what: path,
      count: countKnown(tracts.values[at]?.subarray(firstRow, firstRow + tractCount)),
    })),
  ]);
  return [
    ...byState,
    { area: 'US', what: 'outlines', count: outlines.outlineCount },
    { area: 'US', what: 'providers', count: providers?.providerCount ?? 0 },
    ...(addresses?.shards ?? []).map(({ stateFips, rangeCount }) => ({
      area: stateFips,
      what: 'address ranges',
      count: rangeCount,
    })),
  ];
}

/** What of a dataset is looked at. */
export type CoveredDataset = Pick<Dataset, 'tracts' | 'outlines' | 'providers' | 'addresses'>;

function countKnown(column: Float64Array | undefined): number {
  let count = 0;
  for (const value of column ?? []) if (!Number.isNaN(value)) count++;
  return count;
}

/** Something that there was more of before. */
export interface CoverageLoss {
  readonly area: string;
  readonly what: string;
  readonly before: number;
  readonly after: number;
  /** Of what there was before, 0 to 1. */
  readonly lostShare: number;
}

/** What there is less of than before, the greatest loss first. */
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
