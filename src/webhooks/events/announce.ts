import { ownActor, recordAudit } from '../../audit/audit-log.js';
import type { StateStore, Transaction } from '../../state/store.js';
import {
  announcedRecords,
  type ChangeSet,
  changeSetRecords,
  cursorRecords,
  replayRecords,
  START,
  touchDeliveries,
} from '../delivery-records.js';
import type { Owners } from '../owners.js';
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
  forgetLost(transaction, owners);
  forgetTold(transaction);
  // Paused subscriptions, and those whose key is disabled or expired, are included: their events wait.
  const keys = Array.from(transaction.range(subscriptionRecords), ({ key }) => key).filter(
    ([owner]) => !owners.isLost(transaction, owner),
  );
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

/** Removes what is pending for subscriptions whose owner is lost: it will never be delivered. */
function forgetLost(transaction: Transaction, owners: AnnounceDependencies['owners']): void {
  const cursors = Array.from(transaction.range(cursorRecords));
  for (const { key, value } of cursors) {
    if (owners.isLost(transaction, value.owner)) transaction.remove(cursorRecords, key);
  }
  const replays = Array.from(transaction.range(replayRecords));
  for (const { key, value: owner } of replays) {
    if (owners.isLost(transaction, owner)) transaction.remove(replayRecords, key);
  }
}

/** Removes the change sets that no subscription waits for any more. */
function forgetTold(transaction: Transaction): void {
  const waiting = new Set(Array.from(transaction.range(cursorRecords), ({ key: [, changeSetId] }) => changeSetId));
  const told = Array.from(transaction.range(changeSetRecords), ({ key }) => key).filter(([id]) => !waiting.has(id));
  for (const key of told) transaction.remove(changeSetRecords, key);
}
