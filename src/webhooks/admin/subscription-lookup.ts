import type { StateView } from '../../state/store.js';
import { type OwnedSubscription, subscriptionRecords } from '../subscription.js';
import { WebhookError } from './webhook-admin.js';

/** All subscriptions, or one owner's, by owner and id; read lazily. */
export function* ownedSubscriptions(view: StateView, owner?: string): Generator<OwnedSubscription> {
  const prefix = owner === undefined ? [] : [owner];
  for (const { key, value } of view.range(subscriptionRecords, { prefix })) yield { owner: key[0], ...value };
}

/** Finds a subscription and its owner by the id alone, as maintainers name it. Throws {@link WebhookError}. */
export function findSubscription(view: StateView, id: number): OwnedSubscription {
  for (const owned of ownedSubscriptions(view)) if (owned.subscription.id === id) return owned;
  throw unknownSubscription(id);
}

export const unknownSubscription = (id: number): WebhookError =>
  new WebhookError('unknown-subscription', `there is no subscription ${id}`);
