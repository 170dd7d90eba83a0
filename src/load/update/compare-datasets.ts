import type { ChangeCounts } from '../../catalog/admin/dataset-admin.js';
import { countChanges, diffTracts, type TractDiff } from '../../catalog/admin/diff.js';
import { counted } from '../../core/counted.js';
import { geoidFromNumber } from '../../core/geoid.js';
import { METRICS } from '../../core/metrics.js';
import { roundTo } from '../../core/rounding.js';
import { openDataset, withDatasets } from '../../format/dataset.js';
import type { TractsFile } from '../../format/tracts-file.js';
import { type CoverageLoss, findLosses, measureCoverage, SMALL_LOSS_SHARE } from './coverage.js';

/** A metric's greatest change among the tracts that both datasets have. */
export interface LargestMove {
  readonly metric: string;
  readonly geoid: string;
  readonly before: number;
  readonly after: number;
}

/** The differences between a new dataset and the published one. */
export interface DatasetComparison {
  readonly tractsBefore: number;
  readonly tractsAfter: number;
  readonly changes: ChangeCounts;
  /** One entry per metric that changed at all, in the order of METRICS. */
  readonly largestMoves: readonly LargestMove[];
  /** The greatest loss first. */
  readonly losses: readonly CoverageLoss[];
}

/** A new dataset lost more coverage than allowed; nothing was published. */
export class CoverageLossError extends Error {
  override readonly name = 'CoverageLossError';
}

const MOVE_DECIMALS = 4;

/** What there is before anything was published. */
const NOTHING = { geoids: new Float64Array(0), sectionHashes: new Uint32Array(0) };

/**
 * Compares the generations in two directories; with no directory before, every tract is new. Measured data that replaces
 * synthetic data loses nothing of value. Throws `FormatError` if one cannot be read.
 */
export function compareDatasets(
  beforeDirectory: string | undefined,
  afterDirectory: string,
  toleratedShare = SMALL_LOSS_SHARE,
): DatasetComparison {
  if (beforeDirectory === undefined) return compareWithNothing(afterDirectory);
  return withDatasets(beforeDirectory, afterDirectory, (before, after) => {
    const diff = diffTracts(before.tracts, after.tracts);
    const wasMadeUp = before.tracts.description.synthetic && !after.tracts.description.synthetic;
    return {
      tractsBefore: before.tracts.tractCount,
      tractsAfter: after.tracts.tractCount,
      changes: countChanges(diff),
      largestMoves: wasMadeUp ? [] : findLargestMoves(diff, before.tracts, after.tracts),
      losses: wasMadeUp ? [] : findLosses(measureCoverage(before), measureCoverage(after), toleratedShare),
    };
  });
}

function compareWithNothing(directory: string): DatasetComparison {
  const { tracts, release } = openDataset(directory);
  try {
    const changes = countChanges(diffTracts(NOTHING, tracts));
    return { tractsBefore: 0, tractsAfter: tracts.tractCount, changes, largestMoves: [], losses: [] };
  } finally {
    release();
  }
}

/** Throws {@link CoverageLossError} if more than this share (0 to 1) of anything is lost in any state. */
export function refuseLosses({ losses }: DatasetComparison, maxLossShare: number): void {
  const tooMuch = losses.filter(({ lostShare }) => lostShare > maxLossShare);
  if (tooMuch.length === 0) return;
  const most = tooMuch.slice(0, MOST_LOSSES_TOLD).map(describeLoss);
  const more = tooMuch.length > most.length ? [`… and ${tooMuch.length - most.length} more`] : [];
  throw new CoverageLossError(
    [
      `more than ${roundTo(maxLossShare * 100, 2)}% of the published data would be lost; to publish anyway, pass --force:`,
      ...most,
      ...more,
    ].join('\n  '),
  );
}

const MOST_LOSSES_TOLD = 10;

const describeLoss = ({ area, what, before, after, lostShare }: CoverageLoss): string =>
  `${area} ${what}: ${before} before, ${after} now (${roundTo(lostShare * 100, 1)}% less)`;

function findLargestMoves(diff: TractDiff, before: TractsFile, after: TractsFile): LargestMove[] {
  return METRICS.flatMap(({ path }, metricAt) => {
    const [old, now] = [before.values[metricAt], after.values[metricAt]];
    let largest: LargestMove | undefined;
    for (let at = 0; at < diff.geoids.length; at++) {
      const was = old?.[diff.rowsBefore[at] ?? -1] ?? Number.NaN;
      const is = now?.[diff.rowsAfter[at] ?? -1] ?? Number.NaN;
      // Comparisons with NaN are false, so a value that appeared or disappeared is no move.
      if (!(Math.abs(is - was) > Math.abs((largest?.after ?? 0) - (largest?.before ?? 0)))) continue;
      largest = { metric: path, geoid: geoidFromNumber(diff.geoids[at] ?? Number.NaN), before: was, after: is };
    }
    return largest ? [largest] : [];
  });
}

/** How many tracts differ: `3 changed, 1 new, 0 gone`. */
export function describeChanges({ changedTracts, addedTracts, removedTracts }: TractChanges): string {
  return `${changedTracts} changed, ${addedTracts} new, ${removedTracts} gone`;
}

type TractChanges = Pick<ChangeCounts, 'changedTracts' | 'addedTracts' | 'removedTracts'>;

/** The comparison as text. */
export function describeComparison({
  tractsBefore,
  tractsAfter,
  changes,
  largestMoves,
  losses,
}: DatasetComparison): string[] {
  const sections = Object.entries(changes.bySection).filter(([, count]) => count > 0);
  return [
    `${counted(tractsAfter, 'tract')} (previously ${tractsBefore}): ${describeChanges(changes)}`,
    ...sections.map(
      ([section, count]) => `  ${section}: ${counted(count, 'tract')} ${count === 1 ? 'differs' : 'differ'}`,
    ),
    ...(largestMoves.length > 0 ? ['Largest changes:'] : []),
    ...largestMoves.map(
      ({ metric, geoid, before, after }) =>
        `  ${metric}: ${roundTo(before, MOVE_DECIMALS)} to ${roundTo(after, MOVE_DECIMALS)} in ${geoid}`,
    ),
    ...(losses.length > 0 ? ['Coverage lost:'] : ['No coverage lost.']),
    ...losses.slice(0, MOST_LOSSES_TOLD).map((loss) => `  ${describeLoss(loss)}`),
    ...(losses.length > MOST_LOSSES_TOLD ? [`  … and ${losses.length - MOST_LOSSES_TOLD} more`] : []),
  ];
}
