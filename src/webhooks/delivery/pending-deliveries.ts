import type { StateView } from '../../state/store.js';
import type { DeadLetter } from '../attempt.js';
import {
  type ChangeSet,
  changeSetRecords,
  cursorRecords,
  deadLetterRecords,
  type Position,
  replayRecords,
} from '../delivery-records.js';

/** The deliveries that a subscription is still owed. */
export interface Pending {
  readonly owner: string;
  /** Change sets, oldest first, with the position each has reached. */
  readonly changes: { readonly id: number; readonly changeSet: ChangeSet; readonly position: Position }[];
  /** Dead letters to be sent again, oldest first. */
  readonly replays: { readonly id: number; readonly letter: DeadLetter }[];
}

/** All pending deliveries by subscription id, whether or not they may be sent now. */
export function readPending(view: StateView): Map<number, Pending> {
  const pending = new Map<number, Pending>();
  const changeSets = new Map<number, ChangeSet | undefined>();
  const ofSubscription = (id: number, owner: string): Pending => {
    const found = pending.get(id) ?? { owner, changes: [], replays: [] };
    pending.set(id, found);
    return found;
  };
  for (const { key, value } of view.range(cursorRecords)) {
    const [subscriptionId, id] = key;
    if (!changeSets.has(id)) changeSets.set(id, view.get(changeSetRecords, [id]));
    const changeSet = changeSets.get(id);
    const { owner, position } = value;
    if (changeSet) ofSubscription(subscriptionId, owner).changes.push({ id, changeSet, position });
  }
  for (const { key, value: owner } of view.range(replayRecords)) {
    const letter = view.get(deadLetterRecords, key);
    if (letter) ofSubscription(key[0], owner).replays.push({ id: key[1], letter });
  }
  return pending;
}
