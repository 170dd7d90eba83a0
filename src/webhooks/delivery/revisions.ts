import { keyRevisions } from '../../keys/key-record.js';
import type { StateView } from '../../state/store.js';
import { deliveriesRevision } from '../delivery-records.js';

/** Counters that grow with every change to the pending deliveries and to the keys that own subscriptions. */
export interface Revisions {
  readonly deliveries: number;
  readonly keys: number;
}

/** Less than those of any state. */
export const NO_REVISIONS: Revisions = { deliveries: -1, keys: 0 };

/** Takes some microseconds: every attempt reads them. */
export function readRevisions(view: StateView): Revisions {
  return { deliveries: deliveriesRevision(view), keys: view.lastId(keyRevisions.name) };
}

export function areSame(one: Revisions, other: Revisions): boolean {
  return one.deliveries === other.deliveries && one.keys === other.keys;
}
