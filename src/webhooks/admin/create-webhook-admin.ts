import { randomUUID } from 'node:crypto';
import { type Actor, recordAudit } from '../../audit/audit-log.js';
import type { StateStore, Transaction, TransactOptions } from '../../state/store.js';
import type { Sender } from '../delivery/sender.js';
import { openSign } from '../delivery/signature.js';
import { deadLetterRecords, NO_STATUS, replayRecords, statusRecords, touchDeliveries } from '../delivery-records.js';
import { pingBody, webhookIdOf } from '../events/event-message.js';
import { countActive, MAX_ACTIVE_SUBSCRIPTIONS, removeSubscription, type Subscriptions } from '../subscriptions.js';
import { withOffset } from '../with-offset.js';
import { previewEvents } from './preview.js';
import { setActive } from './set-active.js';
import { findSubscription, unknownSubscription } from './subscription-lookup.js';
import { restOf, type SummaryDependencies, summarize, summarizeAll } from './summaries.js';
import { type WebhookAdmin, WebhookError, type WebhookSummary, type WebhookTestResult } from './webhook-admin.js';

export interface WebhookAdminDependencies extends SummaryDependencies {
  readonly state: StateStore;
  readonly datasetsDir: string;
  readonly subscriptions: Pick<Subscriptions, 'signingSecret'>;
  readonly sender: Sender;
  /** Called when there may be something new to deliver. */
  readonly changed: () => void;
}

/** Deliveries must end when a maintainer wants it, also on a full disk. */
const URGENT: TransactOptions = { isUrgent: true };

export function createWebhookAdmin(dependencies: WebhookAdminDependencies): WebhookAdmin {
  const { state, now } = dependencies;
  return {
    list: ({ owner } = {}) => summarizeAll(dependencies, owner),
    attempts: (id) =>
      state.read((view) => {
        findSubscription(view, id);
        const letters = view.range(deadLetterRecords, { prefix: [id] });
        return {
          recent: (view.get(statusRecords, [id]) ?? NO_STATUS).recent,
          deadLetters: Array.from(letters, ({ key, value: { body: _body, ...letter } }) => {
            return { id: key[1], ...letter, replaying: view.get(replayRecords, key) !== undefined };
          }),
        };
      }),
    replay: (id, { actor, deadLetter }) =>
      change((transaction) => {
        const replayed = replay(transaction, dependencies, id, deadLetter);
        const facts = { action: 'webhooks.replay', target: String(id), before: null, after: { replayed } };
        recordAudit(transaction, { actor, ...facts }, now());
        return { replayed };
      }),
    test: (id) => sendPing(dependencies, id),
    pause: (id, actor) => change((transaction) => pauseOrResume(transaction, id, false, actor), URGENT),
    resume: (id, actor) => change((transaction) => pauseOrResume(transaction, id, true, actor)),
    remove: (id, actor) => change((transaction) => remove(transaction, id, actor), URGENT),
    preview: (from, to) => previewEvents(dependencies, from, to),
  };

  async function change<T>(work: (transaction: Transaction) => T, options?: TransactOptions): Promise<T> {
    const result = await state.transact(work, options);
    dependencies.changed();
    return result;
  }

  function pauseOrResume(transaction: Transaction, id: number, active: boolean, actor: Actor): WebhookSummary {
    const found = findSubscription(transaction, id);
    const before = found.subscription;
    const rests = before.active && restOf(transaction.get(statusRecords, [id]), now()) !== null;
    if (before.active === active && !rests) return summarize(transaction, dependencies, found);
    if (!before.active && countActive(transaction, found.owner) >= MAX_ACTIVE_SUBSCRIPTIONS) {
      throw new WebhookError('limit', `the key already has ${MAX_ACTIVE_SUBSCRIPTIONS} active subscriptions`);
    }
    return summarize(transaction, dependencies, setActive(transaction, found, active, { actor, now: now() }));
  }

  function remove(transaction: Transaction, id: number, actor: Actor): WebhookSummary {
    const found = findSubscription(transaction, id);
    const removed = summarize(transaction, dependencies, found);
    removeSubscription(transaction, found.owner, id);
    const { owner, events, state: before } = removed;
    const facts = { target: String(id), before: { owner, events: [...events], state: before }, after: null };
    recordAudit(transaction, { actor, action: 'webhooks.delete', ...facts }, now());
    return removed;
  }
}

function replay(
  transaction: Transaction,
  { owners }: Pick<WebhookAdminDependencies, 'owners'>,
  id: number,
  deadLetter: number | undefined,
): number {
  const { owner } = findSubscription(transaction, id);
  if (owners.isLost(transaction, owner)) {
    const advice = `run \`webhooks delete ${id}\` to delete it with its undelivered events and dead letters`;
    throw new WebhookError('silenced', `subscription ${id} gets no more events because its key was revoked; ${advice}`);
  }
  const letters = [...transaction.keys(deadLetterRecords, { prefix: [id] })];
  const wanted = letters.filter(([, letterId]) => deadLetter === undefined || letterId === deadLetter);
  if (deadLetter !== undefined && wanted.length === 0) {
    throw new WebhookError('unknown-dead-letter', `subscription ${id} has no dead letter ${deadLetter}`);
  }
  for (const key of wanted) transaction.put(replayRecords, key, owner);
  touchDeliveries(transaction);
  return wanted.length;
}

async function sendPing(
  { state, subscriptions, sender, owners, now }: WebhookAdminDependencies,
  id: number,
): Promise<WebhookTestResult> {
  const { owner, url } = await state.read((view) => {
    const found = findSubscription(view, id);
    if (!owners.isOpen(view, found.owner, now())) {
      throw new WebhookError('silenced', `the key that owns subscription ${id} is no longer valid`);
    }
    return { owner: found.owner, url: new URL(found.subscription.url) };
  });
  const webhookId = webhookIdOf(`ping ${randomUUID()}`);
  const body = pingBody(withOffset(now()));
  const sign = await openSign(subscriptions, owner, id);
  if (sign === 'gone') throw unknownSubscription(id);
  if (sign === 'unopenable') return { arrived: false, webhookId, status: null, failure: 'secret', durationMs: 0 };
  const outcome = await sender.send(url, sign(webhookId, now().getTime(), body), body);
  return { arrived: outcome.failure === null, webhookId, ...outcome };
}
