import { groupBy } from '../../core/group-by.js';
import { Tally } from '../intake/tally.js';
import type { SourceId } from '../source-id.js';

/** A source of which not one row gives anything. */
export interface UnusedSource {
  readonly source: SourceId;
  /** The number of its rows that were read. */
  readonly read: number;
  /** Why they give nothing, the reasons with the most rows first. */
  readonly leftOut: readonly { readonly reason: string; readonly count: number }[];
}

/** Rows that `--states` or the lack of `--territories` leaves out were not asked for: those say nothing about a source. */
const NOT_ASKED_FOR: ReadonlySet<string> = new Set(['other state', 'territory']);

const WITHOUT_VALUE = 'without any value';

/**
 * The sources whose rows were all left out, or have no value in any column: a registry of another country's providers, files
 * on tracts of 2010 without a relationship file, or a table that lost its values in a spreadsheet. One whose rows are all
 * wrong is refused instead.
 */
export function unusedSources(tallies: readonly Tally[]): UnusedSource[] {
  return [...groupBy(tallies, ({ source }) => source).values()].flatMap(unusedSource);
}

/** At most one, for all tallies of a source. */
function unusedSource(own: readonly Tally[]): UnusedSource[] {
  const [first] = own;
  if (!first) return [];
  const all = new Tally(first.source, first.source);
  for (const tally of own) {
    all.addAll(tally);
    if (tally.kept > 0 && isBlank(tally)) all.leave(WITHOUT_VALUE, tally.kept);
  }
  const { source, read, kept, leftOut } = all;
  if (kept > 0 || ![...leftOut.keys()].some((reason) => !NOT_ASKED_FOR.has(reason))) return [];
  const reasons = [...leftOut].map(([reason, count]) => ({ reason, count }));
  return [{ source, read, leftOut: reasons.sort((a, b) => b.count - a.count) }];
}

/** Whether there are columns of values, and all of them are empty. */
function isBlank({ columns }: Tally): boolean {
  const needed = [...columns.values()].filter(({ optional }) => !optional);
  return needed.length > 0 && needed.every(({ present }) => present === 0);
}
