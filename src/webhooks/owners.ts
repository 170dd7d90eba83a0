import { keyRecords, keyStatus } from '../keys/key-record.js';
import type { StateView } from '../state/store.js';

/** The keys that own subscriptions, by their ids. */
export interface Owners {
  /** Whether the key opens the service now; where it does not, its subscriptions are silent. */
  isOpen(view: StateView, owner: string, now: Date): boolean;
  /**
   * Whether the key will never open the service again. One that is disabled or has expired may be enabled or prolonged,
   * and one that the configuration does not name may be named by it again: what their subscriptions have not heard of still
   * waits.
   */
  isLost(view: StateView, owner: string): boolean;
}

/** `configured`: the ids of the keys that the configuration names. All others are looked up among the issued ones. */
export function createOwners(configured: readonly string[]): Owners {
  const named = new Set(configured);
  return {
    isOpen: (view, owner, now) => {
      if (named.has(owner)) return true;
      const record = view.get(keyRecords, [owner]);
      return record !== undefined && keyStatus(record, now) === 'active';
    },
    isLost: (view, owner) => {
      if (named.has(owner)) return false;
      const record = view.get(keyRecords, [owner]);
      return record !== undefined && record.revokedAt !== null;
    },
  };
}
