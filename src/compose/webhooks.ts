import type { Config } from '../config.js';
import { configuredKeyIds } from '../keys/keyring.js';
import { describeError, type Logger, type LogOutput } from '../log.js';
import type { OutboundPolicy } from '../outbound/outbound-policy.js';
import { packageVersion } from '../platform/package-root.js';
import { WEBHOOK_KEY_FILE } from '../state/own-files.js';
import { createSecretBox, type SecretBox } from '../state/secret-box.js';
import type { StateStore } from '../state/store.js';
import type { Counters } from '../tallies/counters.js';
import { type CountOccurrence, createOccurrenceCount } from '../tallies/occurrences.js';
import { createWebhookAdmin } from '../webhooks/admin/create-webhook-admin.js';
import { createDeliveryCounts, type DeliveryCounts } from '../webhooks/admin/delivery-counts.js';
import type { WebhookAdmin } from '../webhooks/admin/webhook-admin.js';
import { type DispatcherEnd, type DispatcherHost, hostDispatcher } from '../webhooks/delivery/dispatcher-host.js';
import type { DispatcherReport } from '../webhooks/delivery/dispatcher-protocol.js';
import { startAnnouncer } from '../webhooks/events/announcer.js';
import { readPinnedGenerations } from '../webhooks/events/pinned-generations.js';
import { createOwners, type Owners } from '../webhooks/owners.js';
import { countUnopenable, createSubscriptions, type Subscriptions } from '../webhooks/subscriptions.js';
import { openWebhookKey } from '../webhooks/webhook-key.js';
import type { Datasets } from './datasets.js';
import type { GenerationReaders } from './generation-readers.js';
import { createLateSender } from './late-sender.js';

/** The delivery of a running service's webhooks. */
export interface Webhooks {
  /** The operations for maintainers. */
  readonly admin: WebhookAdmin;
  /** To be notified of reloads, and asked which generations deliveries still need. */
  readonly readers: GenerationReaders;
  /**
   * Resolves when the generation that is live at the start has been announced, or cannot be yet. Later subscribers are not
   * notified of that generation.
   */
  readonly started: Promise<void>;
  /** Lets delivery attempts in progress finish, up to the timeout. To be called before the state is closed. */
  stop(timeoutMs: number): Promise<void>;
  /** Cuts off what a maintainer's test still waits for. To be called once the admin plane is closed. */
  close(): void;
}

/** What {@link openWebhooks} needs of a service, in one process or several. */
export interface WebhookDeps {
  readonly state: StateStore;
  readonly datasets: Pick<Datasets, 'admin'>;
  /** Those of the process that hosts the deliveries. */
  readonly counters: Counters;
}

/** Opens the subscriptions in the state directory. Throws a StateError if their key cannot be used. */
export async function openSubscriptions(state: StateStore, config: Config): Promise<Subscriptions> {
  return subscriptionsIn(state, config, createSecretBox(await openWebhookKey(state, config.webhookSecretKey)));
}

function subscriptionsIn(state: StateStore, config: Config, secrets: SecretBox): Subscriptions {
  return createSubscriptions({ state, secrets, policy: policyOf(config), now: () => new Date() });
}

/** Counts the outcomes of deliveries, by subscription, for /metrics; a list is reused for a second. */
export function openDeliveryCounts(state: StateStore, { apiKeys }: Config): () => Promise<readonly DeliveryCounts[]> {
  const owners = createOwners(configuredKeyIds(apiKeys));
  return createDeliveryCounts({ state, owners, now: () => new Date(), elapsedMs: () => performance.now() });
}

/** Starts notifying subscribers of each generation that goes live. Throws a StateError if the state cannot be used. */
export async function openWebhooks(
  config: Config,
  { logger }: LogOutput,
  { state, datasets, counters }: WebhookDeps,
): Promise<Webhooks> {
  const now = (): Date => new Date();
  const policy = policyOf(config);
  const { datasetsDir } = config;
  const configuredOwners = configuredKeyIds(config.apiKeys);
  const owners = createOwners(configuredOwners);
  const userAgent = `tract-context/${packageVersion()}`;
  const sender = createLateSender({ policy, userAgent });
  const secretKey = await openWebhookKey(state, config.webhookSecretKey);
  const secrets = createSecretBox(secretKey);
  await tellOfUnopenable(state, secrets, logger);
  const host = hostDispatcher({
    state,
    setup: { stateDir: state.directory, datasetsDir, secretKey, configuredOwners, policy, userAgent },
    ...hostEvents(logger, createOccurrenceCount(counters)),
  });
  const announcer = announce({ state, datasets }, owners, host, logger);
  return {
    admin: createWebhookAdmin({
      state,
      datasetsDir,
      subscriptions: subscriptionsIn(state, config, secrets),
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
    },
    close: sender.close,
  };
}

/** Logs how many subscriptions' secrets cannot be opened. Otherwise, their events would become dead letters silently. */
async function tellOfUnopenable(state: StateStore, secrets: SecretBox, logger: Logger): Promise<void> {
  const subscriptions = await countUnopenable(state, secrets);
  if (subscriptions === 0) return;
  const key = secrets.isLocked ? 'missing' : 'another';
  logger.error({ event: 'webhook-secrets-unopenable', key, subscriptions }, UNOPENABLE[key]);
}

const REMEDY =
  `start with the former WEBHOOK_SECRET_KEY, or put its ${WEBHOOK_KEY_FILE} back into STATE_DIR, ` +
  'then run `webhooks resume <id>` for paused subscriptions and `webhooks replay <id>` for failed events';
const UNOPENABLE = {
  missing: `the key of subscribers’ secrets is missing: their events fail, and new secrets are refused; ${REMEDY}`,
  another: `subscribers’ secrets were encrypted with another key: their events fail; ${REMEDY}`,
} as const;

function announce(
  { state, datasets }: Omit<WebhookDeps, 'counters'>,
  owners: Owners,
  host: DispatcherHost,
  logger: Logger,
) {
  return startAnnouncer({
    state,
    owners,
    now: () => new Date(),
    live: async () => (await datasets.admin.current()).live?.generation,
    onAnnounced: ({ changeSet: { from, to }, subscriptions }) => {
      logger.info({ event: 'announced', from, to, subscriptions }, 'the change is announced to subscribers');
      host.nudge();
    },
    onError: (error) => logger.error(describeError(error), 'a change cannot be announced to subscribers; retrying'),
  });
}

function hostEvents(logger: Logger, count: CountOccurrence) {
  return {
    onReport: (report: DispatcherReport) => logger.error(report, REPORTS[report.kind]),
    onEnded: ({ code, signal }: DispatcherEnd) => {
      count('delivery-process-ended');
      logger.error({ event: 'dispatcher-ended', code, signal }, 'the delivery process ended; it is restarted');
    },
    onError: (error: unknown) => logger.error(describeError(error), 'deliveries failed'),
  };
}

const REPORTS: Readonly<Record<DispatcherReport['kind'], string>> = {
  abandoned: 'a change cannot be delivered to a subscriber because its generation is no longer on disk',
  'lane-failed': 'deliveries to a subscriber failed; they are retried until they succeed',
  'disk-full': 'deliveries wait until there is space on the disk to store what has been delivered',
  failed: 'deliveries cannot be stored',
};

function policyOf({ webhookHttpsOnly, webhookAllowedHosts }: Config): OutboundPolicy {
  return { httpsOnly: webhookHttpsOnly, allowedHosts: new Set(webhookAllowedHosts) };
}
