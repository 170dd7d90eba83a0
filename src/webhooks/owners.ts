import { keyRecords, keyStatus } from '../keys/key-record.js';
import type { StateView } from '../state/store.js';

/** Tells whether the key that owns subscriptions still opens the service; where it does not, they are silent. */
export type IsOpenOwner = (view: StateView, owner: string, now: Date) => boolean;

/** `configured`: the ids of the keys that the configuration names. All others are looked up among the issued ones. */
export function createOwnerCheck(configured: ReadonlySet<string>): IsOpenOwner {
  return (view, owner, now) => {
    if (configured.has(owner)) return true;
    const record = view.get(keyRecords, [owner]);
    return record !== undefined && keyStatus(record, now) === 'active';
  };
}

/**
 * Tells whether the key that owns subscriptions will never open the service again. One that is disabled or has expired may be
 * enabled or prolonged: what its subscriptions have not heard of still waits.
 */
export type IsLostOwner = (view: StateView, owner: string) => boolean;

export function createLostOwnerCheck(configured: ReadonlySet<string>): IsLostOwner {
  return (view, owner) => {
    if (configured.has(owner)) return false;
    const record = view.get(keyRecords, [owner]);
    return record === undefined || record.revokedAt !== null;
  };
}
