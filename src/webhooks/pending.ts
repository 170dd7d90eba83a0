import type { StateView } from '../state/store.js';
import {
  type ChangeSet,
  changeSetRecords,
  cursorRecords,
  type DeadLetter,
  deadLetterRecords,
  type Position,
  replayRecords,
} from './delivery-records.js';

/** What a subscription is still to be told. */
export interface Pending {
  readonly owner: string;
  /** In the order of the changes. */
  readonly changes: { readonly id: number; readonly changeSet: ChangeSet; readonly position: Position }[];
  /** Dead letters to be sent again, in their order. */
  readonly replays: { readonly id: number; readonly letter: DeadLetter }[];
}

/** All that is to be delivered, by subscription, whether or not it may be now. */
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
