import { repeatedly } from '../core/repeatedly.js';
import type { StateStore, StateView, Transaction } from '../state/store.js';
import { auditRecords } from './audit-log.js';

/** Bounds a transaction, so that other writers never wait for long. */
const ENTRIES_A_TRANSACTION = 200;
const INTERVAL_MS = 10 * 60_000;

/**
 * Removes all but the newest `maxEntries` entries, a limited number per transaction, the oldest first: if it is interrupted,
 * or rejects with a StateError, the log begins later but has no gap. Returns how many were removed.
 */
export async function pruneAudit(state: StateStore, maxEntries: number): Promise<number> {
  for (let removed = 0; ; ) {
    // Most checks find nothing to do, and so need no write transaction.
    const excess = await state.read((view) => excessOf(view, maxEntries, 1).length);
    if (excess === 0) return removed;
    removed += await state.transact((transaction) => removeExcess(transaction, maxEntries));
  }
}

function removeExcess(transaction: Transaction, maxEntries: number): number {
  const excess = excessOf(transaction, maxEntries, ENTRIES_A_TRANSACTION);
  for (const key of excess) transaction.remove(auditRecords, key);
  return excess.length;
}

/** The keys of some entries beyond the bound, oldest first. Numbers are consecutive, so the newest determines the bound. */
function excessOf(view: StateView, maxEntries: number, limit: number): [number][] {
  const [newest] = view.keys(auditRecords, { limit: 1 });
  if (!newest) return [];
  const after = [newest[0] + maxEntries - 1];
  return [...view.keys(auditRecords, { after, reverse: true, limit })];
}

export interface AuditBoundOptions {
  readonly state: StateStore;
  readonly maxEntries: number;
  readonly onError: (error: unknown) => void;
  readonly intervalMs?: number;
}

/** Prunes the log now and at intervals. Returns a function that ends this and waits for a prune in progress. */
export function boundAudit(options: AuditBoundOptions): () => Promise<void> {
  const { state, maxEntries, onError, intervalMs = INTERVAL_MS } = options;
  const prune = (): Promise<void> => pruneAudit(state, maxEntries).then(() => {}, onError);
  const first = prune();
  const end = repeatedly(prune, intervalMs);
  return async () => {
    await Promise.all([first, end()]);
  };
}
