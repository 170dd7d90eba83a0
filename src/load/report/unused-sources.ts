import { groupBy } from '../../core/group-by.js';
import { sum } from '../../core/sum.js';
import { Tally } from '../intake/tally.js';
import type { SourceId } from '../source-id.js';

/** A source of which not one row gives anything. */
export interface UnusedSource {
  readonly source: SourceId;
  /** The number of its rows that were read and asked for. */
  readonly read: number;
  /** Why they give nothing, the reasons with the most rows first. */
  readonly leftOut: readonly { readonly reason: string; readonly count: number }[];
}

/**
 * Rows that `--states` or the lack of `--territories` leaves out were not asked for, nor are counties beside tracts. They say
 * nothing about a source, and among many of them its other rows would not be seen.
 */
const NOT_ASKED_FOR: ReadonlySet<string> = new Set(['other state', 'territory', 'not a tract']);

/** Rows that name none of the states: they say nothing either if others of the source were not asked for. */
const OF_NO_STATE: ReadonlySet<string> = new Set(['NPI deactivated', 'outside the United States']);

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
  const reasons = [...all.leftOut].map(([reason, count]) => ({ reason, count }));
  const others = reasons.filter(({ reason }) => !NOT_ASKED_FOR.has(reason));
  const leftOut = others
    .filter(({ reason }) => others.length === reasons.length || !OF_NO_STATE.has(reason))
    .sort((a, b) => b.count - a.count);
  if (all.kept > 0 || leftOut.length === 0) return [];
  return [{ source: all.source, read: all.rejectedRows + sum(leftOut.map(({ count }) => count)), leftOut }];
}

/** Whether there are columns of values, and all of them are empty. */
function isBlank({ columns }: Tally): boolean {
  const needed = [...columns.values()].filter(({ optional }) => !optional);
  return needed.length > 0 && needed.every(({ present }) => present === 0);
}
