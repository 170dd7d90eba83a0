import type { StateView } from '../state/store.js';
import { type StoredSubscription, subscriptionRecords } from './subscription.js';
import { WebhookError } from './webhook-admin.js';

/** Finds a subscription and its owner by the id alone, as maintainers name it. Throws {@link WebhookError}. */
export function findSubscription(view: StateView, id: number): { readonly owner: string } & StoredSubscription {
  for (const { key, value } of view.range(subscriptionRecords)) {
    if (key[1] === id) return { owner: key[0], ...value };
  }
  throw unknownSubscription(id);
}

export const unknownSubscription = (id: number): WebhookError =>
  new WebhookError('unknown-subscription', `there is no subscription ${id}`);
