import { z } from 'zod';
import { defineCollection } from '../state/store.js';

/** The events that a subscription can ask for. */
export const EVENTS = ['data.updated', 'threshold.exceeded'] as const;
export type EventName = (typeof EVENTS)[number];

/** The comparison operators of a threshold: the tract's value is on the left, the threshold's on the right. */
export const THRESHOLD_OPERATORS = ['>', '>=', '<', '<='] as const;

const operator = z.enum(THRESHOLD_OPERATORS);
const threshold = z.object({ operator, value: z.number() });
export type Threshold = z.output<typeof threshold>;

const filters = z.object({
  /** Two-digit state FIPS codes. */
  state_fips: z.exactOptional(z.array(z.string())),
  /** Eleven-digit tract GEOIDs. */
  geoids: z.exactOptional(z.array(z.string())),
  /** By metric, under its name in the dictionary. */
  thresholds: z.exactOptional(z.record(z.string(), threshold)),
});
/** Restricts the events of a subscription; a filter that is left out restricts nothing. */
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
/** A subscription as its owner sees it: without the secret. */
export type Subscription = z.output<typeof subscription>;

/** A subscription with its sealed secret; `null` if it has none. */
const storedSubscription = z.object({ subscription, sealedSecret: z.string().nullable() });
export type StoredSubscription = z.output<typeof storedSubscription>;

/** A stored subscription and its owner, the id of the API key that created it. */
export type OwnedSubscription = { readonly owner: string } & StoredSubscription;

/** Subscriptions by owner and id. */
export const subscriptionRecords = defineCollection('subscriptions', {
  key: z.tuple([z.string(), z.int().positive()]),
  value: storedSubscription,
});
