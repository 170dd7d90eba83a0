import { obtain } from '../../core/obtain.js';
import { Tally } from '../intake/tally.js';
import type { SourceId } from '../source-id.js';

/** A source of which not one row is used. */
export interface UnusedSource {
  readonly source: SourceId;
  /** The number of its rows that were read. */
  readonly read: number;
  /** Why they were left out, the reasons with the most rows first. */
  readonly leftOut: readonly { readonly reason: string; readonly count: number }[];
}

/** Rows that `--states` or the lack of `--territories` leaves out were not asked for: those say nothing about a source. */
const NOT_ASKED_FOR: ReadonlySet<string> = new Set(['other state', 'territory']);

/**
 * The sources whose rows were all left out: a registry of another country's providers, or files on tracts of 2010 without a
 * relationship file. One whose rows are all wrong is refused instead.
 */
export function unusedSources(tallies: readonly Tally[]): UnusedSource[] {
  const sources = new Map<SourceId, Tally>();
  for (const tally of tallies) {
    obtain(sources, tally.source, () => new Tally(tally.source, tally.source)).addAll(tally);
  }
  return [...sources.values()]
    .filter(({ kept, leftOut }) => kept === 0 && [...leftOut.keys()].some((reason) => !NOT_ASKED_FOR.has(reason)))
    .map(({ source, read, leftOut }) => ({
      source,
      read,
      leftOut: [...leftOut].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
    }));
}
