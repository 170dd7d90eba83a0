import { type Actor, recordAudit } from '../../audit/audit-log.js';
import type { Transaction } from '../../state/store.js';
import { type DeliveryStatus, statusRecords, touchDeliveries } from '../delivery-records.js';
import { type OwnedSubscription, subscriptionRecords } from '../subscription.js';
import { withOffset } from '../with-offset.js';
import { restOf } from './summaries.js';

/** Who changes a subscription, and when. */
export interface Change {
  readonly actor: Actor;
  readonly now: Date;
}

/** Pauses or resumes a subscription, which ends its rest after failures, with an entry in the audit log. */
export function setActive(
  transaction: Transaction,
  { owner, sealedSecret, subscription: before }: OwnedSubscription,
  active: boolean,
  { actor, now }: Change,
): OwnedSubscription {
  const { id } = before;
  const status = transaction.get(statusRecords, [id]);
  const restsUntil = before.active ? restOf(status, now) : null;
  const subscription = { ...before, active };
  transaction.put(subscriptionRecords, [owner, id], { subscription, sealedSecret });
  if (status) transaction.put(statusRecords, [id], withoutRest(status, now));
  touchDeliveries(transaction);
  const rested = active && restsUntil ? { restsUntil } : {};
  const facts = { target: String(id), before: { active: before.active, ...rested }, after: { active } };
  recordAudit(transaction, { actor, action: active ? 'webhooks.resume' : 'webhooks.pause', ...facts }, now);
  return { owner, subscription, sealedSecret };
}

/** Ends the rest and resets the failures in a row; events that will be retried keep their count of failed attempts. */
function withoutRest({ rest, ...status }: DeliveryStatus, now: Date): DeliveryStatus {
  return {
    ...status,
    pausedBecause: null,
    failuresInARow: 0,
    ...(rest && { rest: { ...rest, until: withOffset(now) } }),
  };
}
