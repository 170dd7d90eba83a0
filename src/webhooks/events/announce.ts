import { ownActor, recordAudit } from '../../audit/audit-log.js';
import type { StateStore, Transaction } from '../../state/store.js';
import {
  announcedRecords,
  type ChangeSet,
  changeSetRecords,
  cursorRecords,
  forgetPending,
  START,
  touchDeliveries,
} from '../delivery-records.js';
import { lostOwners, type Owners } from '../owners.js';
import { subscriptionRecords } from '../subscription.js';
import { withOffset } from '../with-offset.js';

export interface Announcement {
  readonly changeSet: ChangeSet;
  /** How many subscriptions the change set was queued for. */
  readonly subscriptions: number;
}

export interface AnnounceDependencies {
  readonly state: StateStore;
  readonly owners: Pick<Owners, 'isLost'>;
  readonly now: () => Date;
}

/**
 * Announces a live generation: queues its differences from the generation announced before for all subscriptions. Of several
 * processes, only the first to call does so; undefined if it was announced already. Stores a fixed number of bytes per
 * subscription, whatever the number of events. Rejects with a StateError.
 *
 * `unasked`: the service opened it by itself, at a start or as the first one published. The audit entry is then written
 * here, once for all processes; other changes have an entry from the operation that caused them.
 */
export async function announceGeneration(
  { state, owners, now }: AnnounceDependencies,
  generation: string,
  { unasked = false }: { readonly unasked?: boolean } = {},
): Promise<Announcement | undefined> {
  // Most starts change nothing, and so need no write transaction.
  const known = await state.read((view) => view.get(announcedRecords, ['generation']));
  if (known === generation) return undefined;
  return state.transact((transaction) => {
    const from = transaction.get(announcedRecords, ['generation']) ?? null;
    if (from === generation) return undefined;
    transaction.put(announcedRecords, ['generation'], generation);
    if (unasked) auditOpened(transaction, from, generation, now());
    return announce(transaction, owners, { from, to: generation, at: withOffset(now()) });
  });
}

function announce(
  transaction: Transaction,
  owners: AnnounceDependencies['owners'],
  changeSet: ChangeSet,
): Announcement {
  const isLost = lostOwners(owners, transaction);
  const all = [...transaction.keys(subscriptionRecords)];
  for (const [owner, id] of all) if (isLost(owner)) forgetPending(transaction, id);
  forgetTold(transaction);
  // Paused subscriptions, and those whose key is disabled or expired, are included: their events wait.
  const keys = all.filter(([owner]) => !isLost(owner));
  if (keys.length === 0) return { changeSet, subscriptions: 0 };
  const changeSetId = transaction.nextId(changeSetRecords.name);
  transaction.put(changeSetRecords, [changeSetId], changeSet);
  for (const [owner, id] of keys) {
    transaction.put(cursorRecords, [id, changeSetId], { owner, position: START, waitingTracts: null });
  }
  touchDeliveries(transaction);
  return { changeSet, subscriptions: keys.length };
}

function auditOpened(transaction: Transaction, from: string | null, to: string, at: Date): void {
  const before = from === null ? null : { live: from };
  const facts = { actor: ownActor('service'), action: 'datasets.open', target: null };
  recordAudit(transaction, { ...facts, before, after: { live: to } }, at);
}

/** Removes the change sets that no subscription waits for any more. */
function forgetTold(transaction: Transaction): void {
  const waiting = new Set(Array.from(transaction.keys(cursorRecords), ([, changeSetId]) => changeSetId));
  const told = [...transaction.keys(changeSetRecords)].filter(([id]) => !waiting.has(id));
  for (const key of told) transaction.remove(changeSetRecords, key);
}
