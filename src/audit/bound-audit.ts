import type { StateStore, Transaction } from '../state/store.js';
import { auditRecords } from './audit-log.js';

/** So that other writers never wait for long. */
const ENTRIES_A_TRANSACTION = 200;
const INTERVAL_MS = 10 * 60_000;

/**
 * Removes the oldest entries until `maxEntries` are left, a few a transaction; gives how many it removed. Rejects with a
 * StateError; what it removed until then stays removed.
 */
export async function pruneAudit(state: StateStore, maxEntries: number): Promise<number> {
  for (let removed = 0; ; ) {
    // Most looks find nothing to do: no write for these.
    const excess = await state.read((view) => excessOf(view, maxEntries).length);
    if (excess === 0) return removed;
    removed += await state.transact((transaction) => removeExcess(transaction, maxEntries));
  }
}

function removeExcess(transaction: Transaction, maxEntries: number): number {
  const excess = excessOf(transaction, maxEntries);
  for (const key of excess) transaction.remove(auditRecords, key);
  return excess.length;
}

/** Keys of the newest entries beyond the bound. Numbers are given in turn, so that the newest one tells which these are. */
function excessOf(view: Pick<Transaction, 'range'>, maxEntries: number): [number][] {
  const [newest] = view.range(auditRecords, { limit: 1 });
  if (!newest) return [];
  const after = [newest.key[0] + maxEntries - 1];
  return Array.from(view.range(auditRecords, { after, limit: ENTRIES_A_TRANSACTION }), ({ key }) => key);
}

export interface AuditBoundOptions {
  readonly state: StateStore;
  readonly maxEntries: number;
  readonly onError: (error: unknown) => void;
  readonly intervalMs?: number;
}

/** Keeps the log bounded: looks at once, then now and then. Gives what ends it, which waits for what is under way. */
export function boundAudit({ state, maxEntries, onError, intervalMs = INTERVAL_MS }: AuditBoundOptions) {
  let working: Promise<unknown> | undefined;
  const look = (): void => {
    working ??= pruneAudit(state, maxEntries)
      .catch(onError)
      .finally(() => {
        working = undefined;
      });
  };
  const timer = setInterval(look, intervalMs).unref();
  look();
  return async (): Promise<void> => {
    clearInterval(timer);
    await working;
  };
}
