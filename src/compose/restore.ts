import { ownActor, recordAudit } from '../audit/audit-log.js';
import { type RestoreSummary, restoreState } from '../state/restore.js';
import { setActive } from '../webhooks/admin/set-active.js';
import { ownedSubscriptions } from '../webhooks/admin/subscription-lookup.js';

export interface RestoreOptions {
  readonly now: Date;
  /** Pauses all webhook subscriptions, so that a copy of a service's state sends its subscribers nothing. */
  readonly pauseWebhooks: boolean;
}

export interface RestoredState extends RestoreSummary {
  /** Webhook subscriptions whose events will be sent by the service that uses the state. */
  readonly activeWebhooks: number;
  readonly pausedWebhooks: number;
}

/** Restores a state, and records that in its audit log. Throws the errors of {@link restoreState}. */
export async function restoreWithEntry(
  path: string,
  directory: string,
  { now, pauseWebhooks }: RestoreOptions,
): Promise<RestoredState> {
  const actor = ownActor('restore');
  let webhooks = { activeWebhooks: 0, pausedWebhooks: 0 };
  const summary = await restoreState(path, directory, now, (transaction, { records, createdAt }) => {
    const active = [...ownedSubscriptions(transaction)].filter(({ subscription }) => subscription.active);
    if (pauseWebhooks) for (const owned of active) setActive(transaction, owned, false, { actor, now });
    const { length } = active;
    webhooks = pauseWebhooks
      ? { activeWebhooks: 0, pausedWebhooks: length }
      : { activeWebhooks: length, pausedWebhooks: 0 };
    const facts = { action: 'state.restore', target: null, before: null, after: { backupOf: createdAt, records } };
    recordAudit(transaction, { actor, ...facts }, now);
  });
  return { ...summary, ...webhooks };
}
