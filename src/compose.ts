import { type Catalog, openCatalog } from './catalog/catalog.js';
import type { Config } from './config.js';
import { type Dataset, openDataset } from './format/dataset.js';
import { createUnconfiguredGeocoder } from './geocode/geocoder.js';
import { createApp } from './http/app.js';
import type { Generation } from './http/generation.js';
import { listen } from './http/server.js';
import { createKeyring, type Keyring } from './keys/keyring.js';
import { describeError, type Logger } from './log.js';
import { createQueryPool } from './pool/pool.js';

/** The running service. */
export interface Service {
  readonly url: string;
  /** Finishes what is in flight, within the configured time, and gives everything back. */
  stop(): Promise<void>;
}

/** Puts the service together and starts it. Rejects where the address cannot be listened on. */
export async function startService(config: Config, logger: Logger): Promise<Service> {
  const keyring = createKeyring(config.apiKeys);
  warnOfKeys(keyring, logger);
  const catalog = openLiveCatalog(config, logger);
  let draining = false;
  const app = createApp({
    keyring,
    geocoder: createUnconfiguredGeocoder(),
    logger,
    current: catalog.current,
    absence: catalog.absence,
    cacheMaxSize: config.cacheMaxSize,
    draining: () => draining,
  });
  const server = await listen(app, config.host, config.port).catch(async (error: unknown) => {
    await catalog.close();
    throw error;
  });
  logger.info({ event: 'listening', url: server.url }, 'listening');
  return {
    url: server.url,
    stop: async () => {
      draining = true;
      const finished = await server.drain(config.shutdownTimeoutMs);
      if (!finished) logger.warn('requests were cut off: they took longer than SHUTDOWN_TIMEOUT_MS');
      await catalog.close();
      logger.info({ event: 'stopped' }, 'stopped');
    },
  };
}

function warnOfKeys(keyring: Keyring, logger: Logger): void {
  if (keyring.size === 0) logger.warn('API_KEYS is not set: every request to /v1 will be answered 401 or 403');
}

function openLiveCatalog(config: Config, logger: Logger): Catalog<Generation> {
  return openCatalog({
    datasetsDir: config.datasetsDir,
    open: (directory) => openGeneration(directory, config, logger),
    close: async ({ dataset, pool }) => {
      // Threads first: they hold views of the same files.
      await pool.close();
      dataset.release();
    },
    events: {
      opened: ({ dataset }) => tellOfDataset(dataset, logger),
      nothingPublished: () => logger.warn('no dataset is published; the first one will be taken'),
      failed: (generation, reason) => logger.error({ generation, reason }, 'the published dataset cannot be opened'),
    },
  });
}

function openGeneration(directory: string, config: Config, logger: Logger): Generation {
  const dataset = openDataset(directory);
  const pool = createQueryPool({
    datasetDirectory: directory,
    threads: config.workerThreads,
    queueMaxTasks: config.queueMaxTasks,
    timeoutMs: config.queryTimeoutMs,
    onThreadError: (error) => logger.error(describeError(error), 'a worker thread failed'),
  });
  return { dataset, pool };
}

function tellOfDataset({ generation, tracts }: Dataset, logger: Logger): void {
  const { states, synthetic } = tracts.description;
  logger.info(
    { event: 'dataset', generation, tracts: tracts.tractCount, states: states.length, synthetic },
    'dataset opened',
  );
  if (synthetic) logger.warn('synthetic demo data: no value was measured');
}
