import type { Config } from '../config.js';
import { configuredKeyIds } from '../keys/keyring.js';
import { describeError, type Logger, type LogOutput } from '../log.js';
import type { OutboundPolicy } from '../outbound/outbound-policy.js';
import { packageVersion } from '../platform/package-root.js';
import { createSecretBox } from '../state/secret-box.js';
import { loadSecretKey } from '../state/secret-key.js';
import type { StateStore } from '../state/store.js';
import { startAnnouncer } from '../webhooks/announcer.js';
import { createWebhookAdmin } from '../webhooks/create-webhook-admin.js';
import { createDeliveryCounts, type DeliveryCounts } from '../webhooks/delivery-counts.js';
import { type DispatcherEnd, type DispatcherHost, hostDispatcher } from '../webhooks/dispatcher-host.js';
import type { DispatcherReport } from '../webhooks/dispatcher-protocol.js';
import { createOwners, type Owners } from '../webhooks/owners.js';
import { readPinnedGenerations } from '../webhooks/pinned-generations.js';
import type { Sender, SenderOptions } from '../webhooks/sender.js';
import { createSubscriptions, type Subscriptions } from '../webhooks/subscriptions.js';
import type { WebhookAdmin } from '../webhooks/webhook-admin.js';
import type { Datasets, GenerationReaders } from './datasets.js';

/** Delivery of webhooks beside a service that runs. */
export interface Webhooks {
  /** For its maintainers. */
  readonly admin: WebhookAdmin;
  /** To be told of reloads, and asked which generations are still needed. */
  readonly readers: GenerationReaders;
  /** Resolves when what is live at the start is announced, or cannot be yet: who subscribes later is not told of that. */
  readonly started: Promise<void>;
  /** Lets attempts under way finish, up to the timeout. To be called before the state is closed. */
  stop(timeoutMs: number): Promise<void>;
}

/** What webhooks read of a service, in one process or in several. */
export interface WebhookParts {
  readonly state: StateStore;
  readonly datasets: Pick<Datasets, 'admin'>;
}

/** Seals the subscribers' secrets; whoever has the state directory without this file has no secret. */
const SECRET_KEY_FILE = 'webhook-secret.key';

/** The subscriptions of the state directory. Throws a StateError where their key cannot be used. */
export function openSubscriptions(state: StateStore, config: Config): Subscriptions {
  const secrets = createSecretBox(secretKeyOf(state, config));
  return createSubscriptions({ state, secrets, policy: policyOf(config), now: () => new Date() });
}

/** What became of deliveries, by subscription, for /metrics: the same list again for a second. */
export function openDeliveryCounts(state: StateStore, { apiKeys }: Config): () => Promise<readonly DeliveryCounts[]> {
  const owners = createOwners(configuredKeyIds(apiKeys));
  return createDeliveryCounts({ state, owners, now: () => new Date(), elapsedMs: () => performance.now() });
}

/** Starts to tell subscribers of every generation that goes live. Throws a StateError where the state cannot be used. */
export function openWebhooks(config: Config, { logger }: LogOutput, { state, datasets }: WebhookParts): Webhooks {
  const now = (): Date => new Date();
  const policy = policyOf(config);
  const { datasetsDir } = config;
  const configuredOwners = configuredKeyIds(config.apiKeys);
  const owners = createOwners(configuredOwners);
  const userAgent = `tract-context/${packageVersion()}`;
  const sender = lateSender({ policy, userAgent });
  const host = hostDispatcher({
    state,
    setup: {
      stateDir: state.directory,
      datasetsDir,
      secretKey: secretKeyOf(state, config),
      configuredOwners,
      policy: { httpsOnly: policy.httpsOnly, allowedHosts: [...policy.allowedHosts] },
      userAgent,
    },
    ...hostEvents(logger),
  });
  const announcer = announce({ state, datasets }, owners, host, logger);
  return {
    admin: createWebhookAdmin({
      state,
      datasetsDir,
      subscriptions: openSubscriptions(state, config),
      sender,
      owners,
      now,
      changed: host.nudge,
    }),
    started: announcer.started,
    readers: {
      pinned: () => readPinnedGenerations({ state, owners }),
      reloaded: ({ to }) => announcer.reloaded(to),
    },
    stop: async (timeoutMs) => {
      await announcer.stop();
      await host.stop(timeoutMs);
      sender.close();
    },
  };
}

/** Sends for `webhooks test` alone, and is loaded with the first; real deliveries are sent by the dispatcher's process. */
function lateSender(options: SenderOptions): Sender {
  let opened: Promise<Sender> | undefined;
  const open = async (): Promise<Sender> => (await import('../webhooks/sender.js')).createSender(options);
  return {
    send: async (url, headers, body) => {
      opened ??= open();
      return await (await opened).send(url, headers, body);
    },
    close: () => void opened?.then(({ close }) => close()),
  };
}

function announce({ state, datasets }: WebhookParts, owners: Owners, host: DispatcherHost, logger: Logger) {
  return startAnnouncer({
    state,
    owners,
    now: () => new Date(),
    live: async () => (await datasets.admin.current()).live?.generation,
    onAnnounced: ({ changeSet: { from, to }, subscriptions }) => {
      logger.info({ event: 'announced', from, to, subscriptions }, 'subscribers are told of the change');
      host.nudge();
    },
    onError: (error) => logger.error(describeError(error), 'a change cannot be announced; it is tried again'),
  });
}

function hostEvents(logger: Logger) {
  return {
    onReport: (report: DispatcherReport) => logger.error(report, REPORTS[report.kind]),
    onEnded: ({ code, signal }: DispatcherEnd) =>
      logger.error({ event: 'dispatcher-ended', code, signal }, 'deliveries stopped; they start again'),
    onError: (error: unknown) => logger.error(describeError(error), 'deliveries failed'),
  };
}

const REPORTS: Readonly<Record<DispatcherReport['kind'], string>> = {
  abandoned: 'a subscriber cannot be told of a change: its generation is not on disk any more',
  'lane-failed': 'deliveries to a subscriber failed unexpectedly; they are tried again',
  failed: 'deliveries cannot be stored',
};

function policyOf({ webhookHttpsOnly, webhookAllowedHosts }: Config): OutboundPolicy {
  return { httpsOnly: webhookHttpsOnly, allowedHosts: new Set(webhookAllowedHosts) };
}

function secretKeyOf(state: StateStore, { webhookSecretKey }: Config): Uint8Array {
  return webhookSecretKey ?? loadSecretKey(state.directory, SECRET_KEY_FILE);
}
