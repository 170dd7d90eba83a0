import { obtain } from '../core/obtain.js';
import { keyRecords, keyStatus } from '../keys/key-record.js';
import type { StateView } from '../state/store.js';

/** The keys that own subscriptions, by their ids. */
export interface Owners {
  /** Whether the key opens the service now; while it does not, its subscriptions are sent nothing. */
  isOpen(view: StateView, owner: string, now: Date): boolean;
  /**
   * Whether the key will never open the service again, that is, was revoked. A disabled or expired key may be enabled or
   * extended, and a key that is missing from the configuration may be added to it again; until then, the events of their
   * subscriptions wait.
   */
  isLost(view: StateView, owner: string): boolean;
}

/** {@link Owners.isLost} within one view, which looks each owner up once, however many subscriptions it has. */
export function lostOwners(owners: Pick<Owners, 'isLost'>, view: StateView): (owner: string) => boolean {
  const known = new Map<string, boolean>();
  return (owner) => obtain(known, owner, () => owners.isLost(view, owner));
}

/** `configured`: the ids of the keys in the configuration. All other ids are looked up among the issued keys. */
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
