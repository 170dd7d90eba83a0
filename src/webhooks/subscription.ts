import { z } from 'zod';
import { defineCollection } from '../state/store.js';

/** The events that a subscriber can ask for. */
export const EVENTS = ['data.updated', 'threshold.exceeded'] as const;
export type EventName = (typeof EVENTS)[number];

/** How a threshold compares a tract's value, on the left, with its own. */
export const THRESHOLD_OPERATORS = ['>', '>=', '<', '<='] as const;

const operator = z.enum(THRESHOLD_OPERATORS);
const threshold = z.object({ operator, value: z.number() });
export type Threshold = z.output<typeof threshold>;

const filters = z.object({
  /** States by FIPS, two digits. */
  state_fips: z.exactOptional(z.array(z.string())),
  /** Tracts, eleven digits. */
  geoids: z.exactOptional(z.array(z.string())),
  /** By metric, as the dictionary names it. */
  thresholds: z.exactOptional(z.record(z.string(), threshold)),
});
/** Which tracts a subscriber wants to hear of; what is left out filters nothing. */
export type SubscriptionFilters = z.output<typeof filters>;

const subscription = z.object({
  id: z.int().positive(),
  url: z.string(),
  events: z.array(z.enum(EVENTS)),
  filters,
  active: z.boolean(),
  /** ISO 8601 with offset. */
  created_at: z.iso.datetime({ offset: true }),
});
/** A subscription as its owner sees it. It has no secret. */
export type Subscription = z.output<typeof subscription>;

/** With its secret, sealed; `null` where there is none. */
const storedSubscription = z.object({ subscription, sealedSecret: z.string().nullable() });
export type StoredSubscription = z.output<typeof storedSubscription>;

/** Subscriptions by owner and id. */
export const subscriptionRecords = defineCollection('subscriptions', {
  key: z.tuple([z.string(), z.int().positive()]),
  value: storedSubscription,
});
