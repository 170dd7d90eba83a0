import type { StateView } from '../../state/store.js';
import { type OwnedSubscription, subscriptionRecords } from '../subscription.js';
import { WebhookError } from './webhook-admin.js';

/** All subscriptions, by owner and id; read lazily. */
export function* ownedSubscriptions(view: StateView): Generator<OwnedSubscription> {
  for (const { key, value } of view.range(subscriptionRecords)) yield { owner: key[0], ...value };
}

/** Finds a subscription and its owner by the id alone, as maintainers name it. Throws {@link WebhookError}. */
export function findSubscription(view: StateView, id: number): OwnedSubscription {
  for (const key of view.keys(subscriptionRecords)) {
    if (key[1] !== id) continue;
    const found = view.get(subscriptionRecords, key);
    if (found) return { owner: key[0], ...found };
  }
  throw unknownSubscription(id);
}

export const unknownSubscription = (id: number): WebhookError =>
  new WebhookError('unknown-subscription', `there is no subscription ${id}`);
