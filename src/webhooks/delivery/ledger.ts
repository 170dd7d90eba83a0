import { setTimeout as wait } from 'node:timers/promises';
import { ownActor, recordAudit } from '../../audit/audit-log.js';
import { StateError } from '../../state/state-error.js';
import type { StateStore, Transaction } from '../../state/store.js';
import {
  changeSetRecords,
  cursorRecords,
  deadLetterRecords,
  replayRecords,
  statusRecords,
  touchDeliveries,
} from '../delivery-records.js';
import { subscriptionRecords } from '../subscription.js';
import { isOver, type Unsaved } from './delivery-account.js';
import type { Lane } from './lane.js';

/**
 * Stores the progress of lanes, batching those that changed within an interval into one transaction: thousands of events
 * a second are acknowledged, and each disk flush takes a millisecond or more. After a crash, what was sent since the last
 * write is sent again. On a full disk a write is repeated until there is space: the lanes then wait for it, whereas a new
 * process would send what is not stored again and again.
 */
export interface Ledger {
  /** Schedules a write of the lane's progress within the interval. */
  changed(lane: Lane): void;
  /** Stores all progress so far. Rejects with a StateError, after which the ledger is unusable. */
  save(): Promise<void>;
}

export interface LedgerOptions {
  readonly state: StateStore;
  readonly intervalMs: number;
  readonly now: () => Date;
  readonly onFailure: (error: unknown) => void;
  /** Called for the first of several writes in a row that find no space. */
  readonly onFull: (error: StateError) => void;
  readonly fullRetryMs: number;
  /** From then on, a write that finds no space fails. */
  readonly stopping: AbortSignal;
}

/** The actor in the audit log for what the dispatcher does by itself. */
const DISPATCHER = ownActor('webhook dispatcher');

export function createLedger({ state, intervalMs, now, onFailure, ...full }: LedgerOptions): Ledger {
  let waiting = new Set<Lane>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const lanes = [...waiting];
    waiting = new Set();
    const taken = lanes.flatMap((lane) => {
      const unsaved = lane.takeUnsaved();
      return unsaved ? [{ lane, unsaved }] : [];
    });
    if (taken.length === 0) return;
    const store = (): Promise<void> =>
      state.transact((transaction) => {
        for (const { lane, unsaved } of taken) saveOne(transaction, lane, unsaved, now());
      });
    await untilThereIsSpace(store, full);
    for (const { lane, unsaved } of taken) lane.saved(unsaved);
  };
  const save = (): Promise<void> => {
    // A write in progress may have taken its data before this call, so the caller waits for the next write.
    next ??= running.then(() => {
      next = undefined;
      running = write();
      return running;
    });
    return next;
  };
  return {
    changed: (lane) => {
      waiting.add(lane);
      timer ??= setTimeout(() => save().catch(onFailure), intervalMs);
    },
    save,
  };
}

async function untilThereIsSpace(
  store: () => Promise<void>,
  { onFull, fullRetryMs, stopping }: Pick<LedgerOptions, 'onFull' | 'fullRetryMs' | 'stopping'>,
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof StateError && error.code === 'disk-full') || stopping.aborted) throw error;
      if (isFirst) onFull(error);
    }
    // Ends early, by an error, when it is to stop.
    await wait(fullRetryMs, undefined, { signal: stopping }).catch(() => {});
  }
}

/** Writes nothing for a subscription that was removed meanwhile: its cursors went with it. */
function saveOne(transaction: Transaction, lane: Lane, unsaved: Unsaved, at: Date): void {
  const { subscriptionId: id } = lane;
  let isThere = false;
  for (const [changeSetId, progress] of unsaved.progress) {
    const cursor = transaction.get(cursorRecords, [id, changeSetId]);
    if (!cursor) continue;
    isThere = true;
    if (!isOver(progress)) {
      transaction.put(cursorRecords, [id, changeSetId], { ...cursor, ...progress });
      continue;
    }
    transaction.remove(cursorRecords, [id, changeSetId]);
    if (progress === 'abandoned') auditAbandoned(transaction, id, changeSetId, at);
  }
  for (const [letterId, replayed] of unsaved.replayed) {
    if (!transaction.remove(replayRecords, [id, letterId])) continue;
    isThere = true;
    if (replayed === 'arrived') transaction.remove(deadLetterRecords, [id, letterId]);
    else transaction.put(deadLetterRecords, [id, letterId], replayed);
  }
  if (!isThere && !transaction.get(subscriptionRecords, [lane.owner, id])) return;
  for (const letter of unsaved.deadLetters) {
    transaction.put(deadLetterRecords, [id, transaction.nextId(deadLetterRecords.name)], letter);
  }
  if (unsaved.status) transaction.put(statusRecords, [id], unsaved.status);
  if (unsaved.pause) pause(transaction, lane, unsaved, at);
}

function pause(
  transaction: Transaction,
  { owner, subscriptionId: id }: Lane,
  { pause: reason, status }: Unsaved,
  at: Date,
): void {
  const record = transaction.get(subscriptionRecords, [owner, id]);
  if (!record?.subscription.active) return;
  const subscription = { ...record.subscription, active: false };
  transaction.put(subscriptionRecords, [owner, id], { ...record, subscription });
  touchDeliveries(transaction);
  const after = { active: false, reason: reason ?? null, failuresInARow: status?.failuresInARow ?? 0 };
  const facts = { action: 'webhooks.pause', target: String(id), before: { active: true }, after };
  recordAudit(transaction, { actor: DISPATCHER, ...facts }, at);
}

function auditAbandoned(transaction: Transaction, id: number, changeSetId: number, at: Date): void {
  const { from = null, to = null } = transaction.get(changeSetRecords, [changeSetId]) ?? {};
  const facts = { action: 'webhooks.abandon', target: String(id), before: { from, to }, after: null };
  recordAudit(transaction, { actor: DISPATCHER, ...facts }, at);
}
