import { findUrlProblem, type OutboundPolicy } from '../outbound/outbound-policy.js';
import { type SecretBox, SecretBoxError } from '../state/secret-box.js';
import { StateError } from '../state/state-error.js';
import type { Entry, StateStore, StateView, Transaction } from '../state/store.js';
import { forgetDeliveries, touchDeliveries } from './delivery-records.js';
import { NotStoredError } from './not-stored-error.js';
import {
  type EventName,
  type StoredSubscription,
  type Subscription,
  type SubscriptionFilters,
  subscriptionRecords,
  type Threshold,
} from './subscription.js';
import { withOffset } from './with-offset.js';

/** The most active subscriptions that one key may have. */
export const MAX_ACTIVE_SUBSCRIPTIONS = 10;

/** The most subscriptions that one key may have in all. Paused ones count, because their pending events are kept. */
export const MAX_SUBSCRIPTIONS = 50;

/** A subscriber's request, already validated. A bare number as a threshold means `>`. */
export interface SubscriptionInput {
  readonly url: string;
  readonly events: readonly EventName[];
  /** Signs the deliveries; never returned to anyone. */
  readonly secret?: string;
  readonly filters?: {
    readonly state_fips?: readonly string[];
    readonly geoids?: readonly string[];
    readonly thresholds?: Readonly<Record<string, number | Threshold>>;
  };
}

export type CreateResult =
  | { readonly ok: true; readonly subscription: Subscription }
  | { readonly ok: false; readonly code: 'active-limit' | 'limit' | 'locked' };

/**
 * Webhook subscriptions, by owner: the id of the API key that made them. Another owner's subscription is treated as one
 * that does not exist. Acknowledged changes are on disk; one for which the disk has no space fails with a {@link
 * NotStoredError}. Otherwise, all methods fail with a StateError if the state does.
 */
export interface Subscriptions {
  /** Why events cannot be sent to a URL, judging by its text alone; undefined if it may be subscribed. */
  urlProblem(url: string): string | undefined;
  /**
   * `active-limit` if the owner has {@link MAX_ACTIVE_SUBSCRIPTIONS} active ones, `limit` if it has
   * {@link MAX_SUBSCRIPTIONS} in all, whichever process created them; `locked` if the input has a secret and there is no
   * key to seal it with.
   */
  create(owner: string, input: SubscriptionInput): Promise<CreateResult>;
  /** By ascending id. */
  list(owner: string): Promise<Subscription[]>;
  get(owner: string, id: number): Promise<Subscription | undefined>;
  /** Returns the removed subscription; its id is never reused. */
  remove(owner: string, id: number): Promise<Subscription | undefined>;
  /**
   * The secret that signs the deliveries, for no other use; null if the subscription has none, undefined if there is no such
   * subscription. Throws SecretBoxError.
   */
  signingSecret(owner: string, id: number): Promise<string | null | undefined>;
}

type StoredEntry = Entry<[string, number], StoredSubscription>;

export interface SubscriptionsDependencies {
  readonly state: StateStore;
  readonly secrets: SecretBox;
  /** Where events may be sent. */
  readonly policy: OutboundPolicy;
  readonly now: () => Date;
}

export function createSubscriptions({ state, secrets, policy, now }: SubscriptionsDependencies): Subscriptions {
  const storing: StateStore['transact'] = async (work, options) => {
    try {
      return await state.transact(work, options);
    } catch (error) {
      const isFull = error instanceof StateError && error.code === 'disk-full';
      throw isFull ? new NotStoredError(error.message, { cause: error }) : error;
    }
  };
  return {
    urlProblem: (url) => findUrlProblem(new URL(url), policy),
    create: (owner, input) =>
      storing((transaction): CreateResult => {
        if (input.secret !== undefined && secrets.isLocked) return { ok: false, code: 'locked' };
        // Read and written in one transaction, so that two requests cannot both be the tenth.
        if (countActive(transaction, owner) >= MAX_ACTIVE_SUBSCRIPTIONS) return { ok: false, code: 'active-limit' };
        if (transaction.count(subscriptionRecords, { prefix: [owner] }) >= MAX_SUBSCRIPTIONS) {
          return { ok: false, code: 'limit' };
        }
        const id = transaction.nextId(subscriptionRecords.name);
        const subscription: Subscription = {
          id,
          url: input.url,
          events: [...input.events],
          filters: normalizeFilters(input.filters),
          active: true,
          created_at: withOffset(now()),
        };
        const sealedSecret = input.secret === undefined ? null : secrets.seal(input.secret, contextOf(owner, id));
        transaction.put(subscriptionRecords, [owner, id], { subscription, sealedSecret });
        return { ok: true, subscription };
      }),
    list: (owner) => state.read((view) => ofOwner(view, owner)),
    get: (owner, id) => state.read((view) => view.get(subscriptionRecords, [owner, id])?.subscription),
    remove: (owner, id) =>
      storing(
        (transaction) => {
          const record = transaction.get(subscriptionRecords, [owner, id]);
          if (record) removeSubscription(transaction, owner, id);
          return record?.subscription;
        },
        { isUrgent: true },
      ),
    signingSecret: async (owner, id) => {
      const sealed = await state.read((view) => view.get(subscriptionRecords, [owner, id])?.sealedSecret);
      return typeof sealed === 'string' ? secrets.open(sealed, contextOf(owner, id)) : sealed;
    },
  };
}

/** Whether any subscription has a secret, whichever key sealed it. */
export function hasSealedSecrets(state: StateStore): Promise<boolean> {
  return state.read((view) =>
    Array.from(view.range(subscriptionRecords)).some(({ value }) => value.sealedSecret !== null),
  );
}

/** How many subscriptions have a secret that the box does not open: nothing can be sent to them. */
export function countUnopenable(state: StateStore, secrets: SecretBox): Promise<number> {
  const isShut = ({ key: [owner, id], value: { sealedSecret } }: StoredEntry): boolean =>
    sealedSecret !== null && !opens(secrets, sealedSecret, contextOf(owner, id));
  return state.read((view) => Array.from(view.range(subscriptionRecords)).filter(isShut).length);
}

function opens(secrets: SecretBox, sealed: string, context: string): boolean {
  try {
    secrets.open(sealed, context);
    return true;
  } catch (error) {
    if (error instanceof SecretBoxError) return false;
    throw error;
  }
}

function ofOwner(view: StateView, owner: string): Subscription[] {
  return Array.from(view.range(subscriptionRecords, { prefix: [owner] }), ({ value }) => value.subscription);
}

/** Removes a subscription with its pending deliveries, dead letters and status. */
export function removeSubscription(transaction: Transaction, owner: string, id: number): void {
  transaction.remove(subscriptionRecords, [owner, id]);
  forgetDeliveries(transaction, id);
  touchDeliveries(transaction);
}

/** How many of an owner's subscriptions are active. */
export function countActive(view: StateView, owner: string): number {
  return ofOwner(view, owner).filter(({ active }) => active).length;
}

function normalizeFilters({ state_fips, geoids, thresholds }: SubscriptionInput['filters'] = {}): SubscriptionFilters {
  return {
    ...(state_fips && { state_fips: [...state_fips] }),
    ...(geoids && { geoids: [...geoids] }),
    ...(thresholds && {
      thresholds: Object.fromEntries(
        Object.entries(thresholds).map(([metric, condition]) => [
          metric,
          typeof condition === 'number' ? { operator: '>' as const, value: condition } : { ...condition },
        ]),
      ),
    }),
  };
}

/** Binds a sealed secret to its record: copied into another record, it does not open. */
function contextOf(owner: string, id: number): string {
  return JSON.stringify(['webhook secret', owner, id]);
}
