import { z } from 'zod';
import { type Collection, defineCollection, type StateView, type Transaction } from '../state/store.js';
import { attemptSchema, deadLetterSchema } from './attempt.js';

const id = z.int().positive();
const count = z.int().min(0);
const time = z.iso.datetime({ offset: true });
/** A subscription's id, and the number of something that belongs to it. */
const ofSubscription = z.tuple([id, id]);

/** The generation that was announced last; its events may still be in delivery. */
export const announcedRecords = defineCollection('webhook-announced', {
  key: z.tuple([z.literal('generation')]),
  value: z.string(),
});

/** Grows with every change to the pending deliveries, so that a dispatcher can detect changes without reading them all. */
const revisionRecords = defineCollection('webhook-revision', {
  key: z.tuple([z.literal('deliveries')]),
  value: z.int().positive(),
});

/**
 * A change of the live generation, announced to all subscriptions that existed at that moment. Change sets are numbered
 * in the order of the changes.
 */
const changeSetSchema = z.object({
  /** The generation before; null if none was live. */
  from: z.string().nullable(),
  to: z.string(),
  /** The moment of the change, ISO 8601 with offset: the `timestamp` of its events. */
  at: time,
});
export type ChangeSet = z.output<typeof changeSetSchema>;
export const changeSetRecords = defineCollection('webhook-change-sets', { key: z.tuple([id]), value: changeSetSchema });

const positionSchema = z.object({
  /** The GEOID, as a number, of the current tract: all changed tracts before it are done. */
  geoid: count,
  /** How many of the current tract's events are done. */
  eventsDone: count,
});
/** How far a change set has been delivered to a subscription. */
export type Position = z.output<typeof positionSchema>;
export const START: Position = { geoid: 0, eventsDone: 0 };

/** Progress by subscription and change set; removed once the change set is fully delivered. */
export const cursorRecords = defineCollection('webhook-cursors', {
  key: ofSubscription,
  value: z.object({
    owner: z.string(),
    position: positionSchema,
    /** Changed tracts from the position on; null before delivery has begun. */
    waitingTracts: count.nullable(),
  }),
});

/** Retry state of a failing subscription, stored so that a restart neither shortens a wait nor grants extra attempts. */
const restSchema = z.object({
  /** Nothing is sent before this time. */
  until: time,
  /** Failed attempts so far of each event that will be retried, by `webhook-id`. */
  failedAttempts: z.record(z.string(), count),
});
export type Rest = z.output<typeof restSchema>;

/** `failures`: too many events in a row were given up. `dead-letters`: the maximum number of dead letters is reached. */
export const PAUSE_REASONS = ['failures', 'dead-letters'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

const statusSchema = z.object({
  pausedBecause: z.enum(PAUSE_REASONS).nullable(),
  lastSuccessAt: time.nullable(),
  lastAttemptAt: time.nullable(),
  failuresInARow: count,
  delivered: count,
  retried: count,
  failed: count,
  /** Attempts, newest first. */
  recent: z.array(attemptSchema),
  /** Left out if the last attempt did not fail. */
  rest: z.exactOptional(restSchema),
});
export type DeliveryStatus = z.output<typeof statusSchema>;
export const NO_STATUS: DeliveryStatus = {
  pausedBecause: null,
  lastSuccessAt: null,
  lastAttemptAt: null,
  failuresInARow: 0,
  delivered: 0,
  retried: 0,
  failed: 0,
  recent: [],
};

/** The outcome of deliveries so far, by subscription. */
export const statusRecords = defineCollection('webhook-statuses', { key: z.tuple([id]), value: statusSchema });

/** Events that were given up, by subscription and number. */
export const deadLetterRecords = defineCollection('webhook-dead-letters', {
  key: ofSubscription,
  value: deadLetterSchema,
});

/** Which dead letters are to be sent again. The value is the subscription's owner. */
export const replayRecords = defineCollection('webhook-replays', { key: ofSubscription, value: z.string() });

/** Must be called in every transaction that changes which deliveries are pending or may be sent. */
export function touchDeliveries(transaction: Transaction): void {
  transaction.put(revisionRecords, ['deliveries'], deliveriesRevision(transaction) + 1);
}

/** Grows with each {@link touchDeliveries}; 0 before the first. */
export function deliveriesRevision(view: StateView): number {
  return view.get(revisionRecords, ['deliveries']) ?? 0;
}

/** Removes a subscription's pending deliveries, dead letters and delivery status. */
export function forgetDeliveries(transaction: Transaction, subscriptionId: number): void {
  forgetPending(transaction, subscriptionId);
  removeAll(transaction, deadLetterRecords, subscriptionId);
  transaction.remove(statusRecords, [subscriptionId]);
}

/** Removes what is yet to be delivered to a subscription. */
export function forgetPending(transaction: Transaction, subscriptionId: number): void {
  removeAll(transaction, cursorRecords, subscriptionId);
  removeAll(transaction, replayRecords, subscriptionId);
}

function removeAll<V>(
  transaction: Transaction,
  collection: Collection<z.output<typeof ofSubscription>, V>,
  subscriptionId: number,
): void {
  const keys = [...transaction.keys(collection, { prefix: [subscriptionId] })];
  for (const key of keys) transaction.remove(collection, key);
}
