import { ownActor, recordAudit } from '../audit/audit-log.js';
import type { StateStore, Transaction } from '../state/store.js';
import type { Unsaved } from './delivery-journal.js';
import {
  changeSetRecords,
  cursorRecords,
  deadLetterRecords,
  replayRecords,
  statusRecords,
  touchDeliveries,
} from './delivery-records.js';
import type { Lane } from './lane.js';
import { subscriptionRecords } from './subscription.js';

/**
 * Stores what lanes have done, those of one moment in one transaction: events are acknowledged by the thousand a second, and
 * each flush of the disk takes a millisecond or more. What was sent after the last one is sent again after a crash.
 */
export interface Ledger {
  /** The lane's work is stored within the interval. */
  changed(lane: Lane): void;
  /** Stores all that has been done so far. Rejects with a StateError; the ledger is of no use then. */
  save(): Promise<void>;
}

export interface LedgerOptions {
  readonly state: StateStore;
  readonly intervalMs: number;
  readonly now: () => Date;
  readonly onFailure: (error: unknown) => void;
}

/** In whose name the service itself acts. */
const DISPATCHER = ownActor('webhook dispatcher');

export function createLedger({ state, intervalMs, now, onFailure }: LedgerOptions): Ledger {
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
    await state.transact((transaction) => {
      for (const { lane, unsaved } of taken) saveOne(transaction, lane, unsaved, now());
    });
    for (const { lane, unsaved } of taken) lane.saved(unsaved);
  };
  const save = (): Promise<void> => {
    // One that is under way may have taken what a lane had before: whoever asks now waits for the one after it.
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

/** Nothing is written for a subscription that its owner has removed meanwhile: its cursors went with it. */
function saveOne(transaction: Transaction, lane: Lane, unsaved: Unsaved, at: Date): void {
  const { subscriptionId: id } = lane;
  let isThere = false;
  for (const [changeSetId, progress] of unsaved.progress) {
    const cursor = transaction.get(cursorRecords, [id, changeSetId]);
    if (!cursor) continue;
    isThere = true;
    if (typeof progress === 'object') {
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
