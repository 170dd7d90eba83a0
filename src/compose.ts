import { type Catalog, openCatalog } from './catalog/catalog.js';
import type { Config } from './config.js';
import type { Dataset } from './format/dataset.js';
import { createCountingGeocoder } from './geocode/counting-geocoder.js';
import { createEmbeddedGeocoder } from './geocode/embedded.js';
import { createApp } from './http/app.js';
import { type OpenGeneration, openGeneration } from './http/generation.js';
import { createRequestMetrics } from './http/metrics.js';
import { readPackageFiles } from './http/openapi/package-files.js';
import { createRateLimiter } from './http/rate-limit.js';
import { createResponseCache } from './http/response-cache.js';
import { type HttpServer, listen } from './http/server.js';
import { createKeyring, type Keyring } from './keys/keyring.js';
import { describeError, type Logger, type LogOutput } from './log.js';
import { createNarrator, type Narrator } from './narrative/narrator.js';
import { readDictionary } from './query/dictionary.js';
import { openState } from './state/open-state.js';
import { createSecretBox } from './state/secret-box.js';
import { loadSecretKey } from './state/secret-key.js';
import type { StateStore } from './state/store.js';
import { createSubscriptions, type Subscriptions } from './webhooks/subscriptions.js';

/** The running service. */
export interface Service {
  readonly url: string;
  /** Finishes what is in flight, within the configured time, and gives everything back. */
  stop(): Promise<void>;
}

/** Puts the service together and starts it. Rejects where the address or the state directory cannot be used. */
export async function startService(config: Config, log: LogOutput): Promise<Service> {
  const { logger } = log;
  const state = await openState(config.stateDir);
  const catalog = openLiveCatalog(config, logger);
  const close = async (): Promise<void> => {
    await catalog.close();
    await state.close();
  };
  let draining = false;
  const server = await listenWith(config, log, { state, catalog, draining: () => draining }).catch(
    async (error: unknown) => {
      await close();
      throw error;
    },
  );
  logger.info({ event: 'listening', url: server.url }, 'listening');
  return {
    url: server.url,
    stop: async () => {
      draining = true;
      const finished = await server.drain(config.shutdownTimeoutMs);
      if (!finished) logger.warn('requests were cut off: they took longer than SHUTDOWN_TIMEOUT_MS');
      await close();
      logger.info({ event: 'stopped' }, 'stopped');
    },
  };
}

interface OpenParts {
  readonly state: StateStore;
  readonly catalog: Catalog<OpenGeneration>;
  readonly draining: () => boolean;
}

async function listenWith(config: Config, log: LogOutput, parts: OpenParts): Promise<HttpServer> {
  const { logger, writeLine } = log;
  const { state, catalog, draining } = parts;
  const { rateLimitMax, rateLimitWindowSeconds, cacheMaxSize, cacheMaxBytes } = config;
  const now = (): number => performance.now();
  const generation = (): string | undefined => catalog.current()?.dataset.generation;
  const metrics = createRequestMetrics();
  let url = '';
  const app = createApp({
    keyring: openKeyring(config, logger),
    limiter: createRateLimiter({ max: rateLimitMax, windowSeconds: rateLimitWindowSeconds, now }),
    cache: createResponseCache({ maxEntries: cacheMaxSize, maxBytes: cacheMaxBytes, generation }),
    metrics,
    geocoder: createCountingGeocoder(createEmbeddedGeocoder(() => catalog.current()?.dataset)),
    narrator: openNarrator(config, logger),
    subscriptions: openSubscriptions(state, config),
    reference: { dictionary: readDictionary(), ...readPackageFiles(), baseUrl: () => config.publicBaseUrl || url },
    logger,
    writeLine,
    current: catalog.current,
    absence: catalog.absence,
    corsOrigins: config.corsOrigins,
    draining,
  });
  const server = await listen(app, {
    host: config.host,
    port: config.port,
    onRefused: (status) => {
      metrics.countRefusal(status);
      logger.info({ status }, 'a request could not be read');
    },
  });
  url = server.url;
  return server;
}

function openKeyring({ apiKeys }: Config, logger: Logger): Keyring {
  const keyring = createKeyring(apiKeys);
  if (keyring.size === 0) logger.warn('API_KEYS is not set: every request to /v1 will be answered 401 or 403');
  return keyring;
}

function openNarrator(config: Config, logger: Logger): Narrator {
  const { narrativeProvider: provider } = config;
  if (provider === 'rules') return createNarrator({ provider });
  return createNarrator({
    provider,
    model: config.narrativeModel,
    apiKey: config.narrativeApiKey || undefined,
    baseUrl: config.narrativeBaseUrl || undefined,
    timeoutMs: config.narrativeTimeoutMs,
    maxConcurrent: config.narrativeMaxConcurrent,
    fetch,
    now: () => performance.now(),
    onFailure: (reason) => logger.warn({ reason }, 'a narrative was written by rules: the provider failed'),
  });
}

/** Seals the subscribers' secrets; whoever has the state directory without this file has no secret. */
const SECRET_KEY_FILE = 'webhook-secret.key';

function openSubscriptions(state: StateStore, config: Config): Subscriptions {
  const secrets = createSecretBox(config.webhookSecretKey ?? loadSecretKey(state.directory, SECRET_KEY_FILE));
  return createSubscriptions({ state, secrets, now: () => new Date() });
}

function openLiveCatalog(config: Config, logger: Logger): Catalog<OpenGeneration> {
  return openCatalog({
    datasetsDir: config.datasetsDir,
    open: (directory) =>
      openGeneration(directory, {
        threads: config.workerThreads,
        queueMaxTasks: config.queueMaxTasks,
        timeoutMs: config.queryTimeoutMs,
        onThreadError: (error) => logger.error(describeError(error), 'a worker thread failed'),
      }),
    close: (generation) => generation.close(),
    events: {
      opened: ({ dataset }) => tellOfDataset(dataset, logger),
      nothingPublished: () => logger.warn('no dataset is published; the first one will be taken'),
      failed: (generation, reason) => logger.error({ generation, reason }, 'the published dataset cannot be opened'),
    },
  });
}

function tellOfDataset({ generation, tracts }: Dataset, logger: Logger): void {
  const { states, synthetic } = tracts.description;
  logger.info(
    { event: 'dataset', generation, tracts: tracts.tractCount, states: states.length, synthetic },
    'dataset opened',
  );
  if (synthetic) logger.warn('synthetic demo data: no value was measured');
}
