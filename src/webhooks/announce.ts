import { ownActor, recordAudit } from '../audit/audit-log.js';
import type { StateStore, Transaction } from '../state/store.js';
import {
  announcedRecords,
  type ChangeSet,
  changeSetRecords,
  cursorRecords,
  START,
  touchDeliveries,
} from './delivery-records.js';
import type { Owners } from './owners.js';
import { subscriptionRecords } from './subscription.js';
import { withOffset } from './with-offset.js';

export interface Announcement {
  readonly changeSet: ChangeSet;
  /** How many there are to be told. */
  readonly subscriptions: number;
}

export interface AnnounceDependencies {
  readonly state: StateStore;
  readonly owners: Pick<Owners, 'isLost'>;
  readonly now: () => Date;
}

/**
 * Notes that a generation is live: all subscriptions are to be told of what differs from the one that was announced
 * before, once, whichever of several processes says it first. Undefined where it was announced already. What is stored
 * is a number of bytes for each subscription, whatever the number of events. Rejects with a StateError.
 *
 * `unasked`: the service took it by itself, at a start or as the first one published. Then the audit log tells of it
 * here, once for all processes; other changes are there with whoever asked for them.
 */
export async function announceGeneration(
  { state, owners, now }: AnnounceDependencies,
  generation: string,
  { unasked = false }: { readonly unasked?: boolean } = {},
): Promise<Announcement | undefined> {
  // Most starts change nothing: no write for these.
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
  // Also those that are paused, or whose key opens nothing for now: they are told when that is over.
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

/** Removes what waits for subscriptions that nobody will ever hear of anything by. */
function forgetLost(transaction: Transaction, owners: AnnounceDependencies['owners']): void {
  const cursors = Array.from(transaction.range(cursorRecords));
  for (const { key, value } of cursors) {
    if (owners.isLost(transaction, value.owner)) transaction.remove(cursorRecords, key);
  }
}

/** Removes the change sets that everybody has been told of. */
function forgetTold(transaction: Transaction): void {
  const waiting = new Set(Array.from(transaction.range(cursorRecords), ({ key: [, changeSetId] }) => changeSetId));
  const told = Array.from(transaction.range(changeSetRecords), ({ key }) => key).filter(([id]) => !waiting.has(id));
  for (const key of told) transaction.remove(changeSetRecords, key);
}
