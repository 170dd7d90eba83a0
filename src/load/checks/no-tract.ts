import type { Intake } from '../intake/intake.js';
import type { SourceId } from '../source-id.js';

/** The sources that list tracts. */
const LISTS: ReadonlySet<SourceId> = new Set(['gazetteer', 'tiger']);

const NONE_KEPT = 'no tracts in the input: every row of its gazetteer and tract outlines was rejected or left out';

/** Why an input has no tract to publish, as a message for the maintainer. */
export function whyNoTract({ tallies, wantedStates }: Intake): string {
  const lists = tallies.filter(({ source, read }) => LISTS.has(source) && read > 0);
  if (lists.length === 0) return 'no tracts in the input: add a gazetteer or tract outlines';
  const isAnyRejected = lists.some(({ rejectedRows }) => rejectedRows > 0);
  if (isAnyRejected) return NONE_KEPT;
  const has = (reason: string): boolean => lists.some(({ leftOut }) => leftOut.has(reason));
  if (has('other state')) {
    return `no tracts of ${wantedStates.length === 1 ? 'state' : 'states'} ${wantedStates.join(', ')} in the input`;
  }
  if (has('territory')) return 'the input has only tracts of territories; pass --territories to load them';
  return NONE_KEPT;
}
