import { onTestFinished } from 'vitest';
import { openState } from '../../src/state/open-state.js';
import { createSecretBox } from '../../src/state/secret-box.js';
import type { StateStore } from '../../src/state/store.js';
import { createWebhookAdmin } from '../../src/webhooks/admin/create-webhook-admin.js';
import type { WebhookAdmin } from '../../src/webhooks/admin/webhook-admin.js';
import type { DeliveryLimits } from '../../src/webhooks/delivery/delivery-limits.js';
import { type Dispatcher, startDispatcher } from '../../src/webhooks/delivery/dispatcher.js';
import { createSender } from '../../src/webhooks/delivery/sender.js';
import { type Announcement, announceGeneration } from '../../src/webhooks/events/announce.js';
import { createOwners } from '../../src/webhooks/owners.js';
import { createSubscriptions, type SubscriptionInput, type Subscriptions } from '../../src/webhooks/subscriptions.js';
import { temporaryDirectory } from './temporary-directory.js';

export const OWNER = 'a-key';
export const ACTOR = { name: 'a test', address: '127.0.0.1', token: '' };

/** Everything that webhook deliveries need, in this process; receivers on 127.0.0.1 are allowed. */
export interface Deliveries {
  readonly state: StateStore;
  readonly datasetsDir: string;
  readonly subscriptions: Subscriptions;
  readonly admin: WebhookAdmin;
  /** Descriptions of what went wrong. */
  readonly problems: readonly string[];
  /** Creates a subscription, by default to `data.updated` and owned by {@link OWNER}; returns its id. */
  subscribe(url: string, input?: Partial<SubscriptionInput>, owner?: string): Promise<number>;
  announce(generation: string): Promise<Announcement | undefined>;
  /** Starts a dispatcher, which runs until it is stopped, at the latest at the end of the test. */
  start(
    limits?: Partial<DeliveryLimits>,
    options?: { readonly otherSecretKey?: boolean; readonly pollMs?: number },
  ): Dispatcher;
}

/** Limits with delays as short as possible. */
const QUICK: Partial<DeliveryLimits> = { retryDelaysMs: [1, 1], coolDownMs: 1, saveIntervalMs: 1 };

export async function prepareDeliveries(
  options: { readonly configured?: readonly string[] } = {},
): Promise<Deliveries> {
  const state = await openState(temporaryDirectory());
  onTestFinished(() => state.close());
  const datasetsDir = temporaryDirectory();
  const now = (): Date => new Date();
  const policy = { httpsOnly: false, allowedHosts: new Set(['127.0.0.1']) };
  const subscriptions = createSubscriptions({ state, secrets: createSecretBox(Buffer.alloc(32, 7)), policy, now });
  const owners = createOwners(options.configured ?? [OWNER]);
  const newSender = () => createSender({ policy, userAgent: 'tract-context/test', timeoutMs: 20_000 });
  const sender = newSender();
  onTestFinished(() => sender.close());
  const problems: string[] = [];
  return {
    state,
    datasetsDir,
    subscriptions,
    problems,
    admin: createWebhookAdmin({ state, datasetsDir, subscriptions, sender, owners, now, changed: () => {} }),
    subscribe: async (url, input = {}, owner = OWNER) => {
      const created = await subscriptions.create(owner, { url, events: ['data.updated'], ...input });
      if (!created.ok) throw new Error(created.code);
      return created.subscription.id;
    },
    announce: (generation) => announceGeneration({ state, owners, now }, generation),
    start: (limits = {}, { otherSecretKey = false, pollMs = 5 } = {}) => {
      const secrets = createSecretBox(Buffer.alloc(32, otherSecretKey ? 8 : 7));
      const dispatcher = startDispatcher({
        state,
        datasetsDir,
        subscriptions: createSubscriptions({ state, secrets, policy, now }),
        sender: newSender(),
        owners,
        now,
        pollMs,
        limits: { ...QUICK, ...limits },
        events: {
          abandoned: (id, reason) => problems.push(`abandoned ${id}: ${reason}`),
          laneFailed: (id, error) => problems.push(`lane ${id}: ${String(error)}`),
          diskFull: (error) => problems.push(`full: ${String(error)}`),
          failed: (error) => problems.push(String(error)),
        },
      });
      let stopping: Promise<void> | undefined;
      const stop = (timeoutMs: number): Promise<void> => {
        stopping ??= dispatcher.stop(timeoutMs);
        return stopping;
      };
      // A test of a stop that fails has seen that.
      onTestFinished(() => stop(0).catch(() => {}));
      return { nudge: dispatcher.nudge, stop };
    },
  };
}
