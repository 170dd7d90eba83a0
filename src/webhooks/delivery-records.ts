import { z } from 'zod';
import { defineCollection, type StateView, type Transaction } from '../state/store.js';
import { EVENTS } from './subscription.js';
import { DELIVERY_FAILURES, PAUSE_REASONS } from './webhook-admin.js';

const id = z.int().positive();
const count = z.int().min(0);
const time = z.iso.datetime({ offset: true });
/** A subscription, and something that belongs to it. */
const ofSubscription = z.tuple([id, id]);

/** The generation that subscribers were last told of, or are being told of. */
export const announcedRecords = defineCollection('webhook-announced', {
  key: z.tuple([z.literal('generation')]),
  value: z.string(),
});

/** Grows with every change to what is to be delivered, so that a dispatcher need not look at all of it to find that out. */
const revisionRecords = defineCollection('webhook-revision', {
  key: z.tuple([z.literal('deliveries')]),
  value: z.int().positive(),
});

/**
 * A change of the live generation, told to all subscriptions that there were. Numbers ascend in the order of the
 * changes.
 */
const changeSetSchema = z.object({
  /** Null where nothing was live before. */
  from: z.string().nullable(),
  to: z.string(),
  /** The moment of the change, ISO 8601 with offset, as the events tell it. */
  at: time,
});
export type ChangeSet = z.output<typeof changeSetSchema>;
export const changeSetRecords = defineCollection('webhook-change-sets', { key: z.tuple([id]), value: changeSetSchema });

const positionSchema = z.object({
  /** The tract at which it stands, as a number: all changed tracts before it are done. */
  geoid: count,
  /** How many of that tract's events are done. */
  eventsDone: count,
});
/** How far a subscription has heard of a change set. */
export type Position = z.output<typeof positionSchema>;
export const START: Position = { geoid: 0, eventsDone: 0 };

/** By subscription and change set; gone when the subscription has heard of all of it. */
export const cursorRecords = defineCollection('webhook-cursors', {
  key: ofSubscription,
  value: z.object({
    owner: z.string(),
    position: positionSchema,
    /** Changed tracts from there on; null before anybody has looked. */
    waitingTracts: count.nullable(),
  }),
});

const attemptSchema = z.object({
  at: time,
  webhookId: z.string(),
  event: z.enum(EVENTS),
  geoid: z.string(),
  attempt: id,
  status: z.int().nullable(),
  failure: z.enum(DELIVERY_FAILURES).nullable(),
  durationMs: z.number().min(0),
});

/** How a subscription whose deliveries fail goes on, so that a restart neither hurries it nor gives it further attempts. */
const restSchema = z.object({
  /** Nothing is sent before. */
  until: time,
  /** Of the events that are to be tried again, by `webhook-id`. */
  failedAttempts: z.record(z.string(), count),
});
export type Rest = z.output<typeof restSchema>;

const statusSchema = z.object({
  pausedBecause: z.enum(PAUSE_REASONS).nullable(),
  lastSuccessAt: time.nullable(),
  lastAttemptAt: time.nullable(),
  failuresInARow: count,
  delivered: count,
  retried: count,
  failed: count,
  /** The newest first. */
  recent: z.array(attemptSchema),
  /** Left out where the last attempt did not fail. */
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

/** What became of a subscription's deliveries so far, by subscription. */
export const statusRecords = defineCollection('webhook-statuses', { key: z.tuple([id]), value: statusSchema });

const deadLetterSchema = z.object({
  webhookId: z.string(),
  event: z.enum(EVENTS),
  geoid: z.string(),
  /** As it was sent: it can be sent again when the generations are long gone. */
  body: z.string(),
  failedAt: time,
  status: z.int().nullable(),
  failure: z.enum(DELIVERY_FAILURES),
});
export type DeadLetter = z.output<typeof deadLetterSchema>;

/** Events that were given up, by subscription and number. */
export const deadLetterRecords = defineCollection('webhook-dead-letters', {
  key: ofSubscription,
  value: deadLetterSchema,
});

/** Which of them are to be sent again. The value is the subscription's owner. */
export const replayRecords = defineCollection('webhook-replays', { key: ofSubscription, value: z.string() });

/** To be called in every transaction that changes what is to be delivered to whom. */
export function touchDeliveries(transaction: Transaction): void {
  transaction.put(revisionRecords, ['deliveries'], deliveriesRevision(transaction) + 1);
}

export function deliveriesRevision(view: StateView): number {
  return view.get(revisionRecords, ['deliveries']) ?? 0;
}

/** Removes all that a subscription was still to hear of, and what became of the rest. */
export function forgetDeliveries(transaction: Transaction, subscriptionId: number): void {
  for (const collection of [cursorRecords, deadLetterRecords, replayRecords]) {
    const keys = Array.from(transaction.range<[number, number], unknown>(collection, { prefix: [subscriptionId] }));
    for (const { key } of keys) transaction.remove<[number, number], unknown>(collection, key);
  }
  transaction.remove(statusRecords, [subscriptionId]);
}
