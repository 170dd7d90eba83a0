import type { ServedDatasets } from './catalog/admin/served-datasets.js';
import { isPublished } from './catalog/published.js';
import { type Following, liveForMetrics, servedBy } from './compose/catalog.js';
import type { DatasetDeps } from './compose/datasets.js';
import { openGeocoder } from './compose/geocoder.js';
import { openNarrator } from './compose/narrator.js';
import { openResources, type Resources } from './compose/resources.js';
import { openDeliveryCounts, openSubscriptions } from './compose/webhooks.js';
import type { Config } from './config.js';
import { createRateLimiter } from './http/access/rate-limit.js';
import { createApp } from './http/app.js';
import { createResponseCache } from './http/cache/response-cache.js';
import { KEY_NOTICE_DAYS, type LiveDataset, metricsJson, type Standing } from './http/metrics/report.js';
import { createReporting, type Reporting } from './http/metrics/reporting.js';
import { createRequestMetrics } from './http/metrics/request-metrics.js';
import { readPackageFiles } from './http/openapi/package-files.js';
import { type HttpServer, listen } from './http/server.js';
import type { KeyUsage } from './keys/key-usage.js';
import { describeError, type Logger, type LogOutput } from './log.js';
import type { Turns } from './outbound/turns.js';
import { giveBackMemoryWhenIdle } from './platform/idle-memory.js';
import { programEdition } from './platform/program-edition.js';
import { readDictionary } from './query/dictionary.js';
import { describeSetting } from './settings/settings.js';
import type { StateStore } from './state/store.js';
import { type Counters, createCounters } from './tallies/counters.js';
import { createHitStore, type HitStore } from './tallies/hit-store.js';
import { createOccurrenceCount } from './tallies/occurrences.js';

/** The part of a running service that changes its datasets. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** The running service. */
export interface Service<Changing extends Stoppable = Stoppable> {
  readonly url: string;
  readonly datasets: Changing;
  readonly state: StateStore;
  readonly counters: Counters;
  readonly usage: KeyUsage;
  /** Makes a change of an issued key effective in this process at once. */
  readonly keysChanged: () => Promise<void>;
  /** The contents of /metrics, as JSON. */
  readonly metrics: () => Promise<Record<string, unknown>>;
  /** Finishes requests in flight, within the configured time, and releases all resources. */
  stop(): Promise<void>;
}

/**
 * What the processes that serve one address count together, and the turns they take with what only one may do at a
 * time.
 */
export interface Tallies {
  readonly hits: HitStore;
  readonly counters: Counters;
  /** Undefined for a process that serves alone. */
  readonly nominatimTurns: Turns | undefined;
}

export interface ServiceOptions<Changing extends Stoppable> {
  /** Opens what changes the service's datasets. */
  readonly datasetsOf: (deps: DatasetDeps) => Changing;
  /** Given only to one of several processes. */
  readonly tallies?: Tallies;
  /** Given only to one of several processes, which takes no generation live by itself. */
  readonly following?: Following;
  /** Called when everything is open, before the first request can arrive. */
  readonly beforeListening?: (opened: OpenedService) => Promise<void>;
}

/** What a service can be asked before it listens. */
export interface OpenedService {
  readonly served: ServedDatasets;
  /** Reloads what has changed in the issued keys. */
  readonly keysChanged: () => Promise<void>;
}

const MS_PER_DAY = 86_400_000;

/** Assembles the service and starts it. Rejects if the address or the state directory cannot be used. */
export async function startService<Changing extends Stoppable>(
  config: Config,
  log: LogOutput,
  { datasetsOf, tallies = ownTallies(config), following, beforeListening }: ServiceOptions<Changing>,
): Promise<Service<Changing>> {
  const { logger } = log;
  const { counters } = tallies;
  const resources = await openResources(config, logger, { count: createOccurrenceCount(counters), following });
  const { state, keys, catalog } = resources;
  const closing = new AbortController();
  let draining = false;
  const served = servedBy(catalog);
  const keysChanged = keys.issued.refresh;
  const start = async (): ReturnType<typeof listenWith> => {
    await beforeListening?.({ served, keysChanged });
    return listenWith(config, log, { ...resources, tallies, draining: () => draining, closing: closing.signal });
  };
  const { server, reporting } = await start().catch(async (error: unknown) => {
    closing.abort();
    await resources.close();
    throw error;
  });
  const datasets = datasetsOf({ served, state, counters });
  const stopGivingBack = giveBackMemoryWhenIdle();
  return {
    url: server.url,
    state,
    counters,
    usage: keys.usage,
    keysChanged,
    datasets,
    metrics: () => Promise.resolve(metricsJson(reporting.report())),
    stop: async () => {
      draining = true;
      const ended = datasets.stop();
      const finished = await server.drain(config.shutdownTimeoutMs);
      stopGivingBack();
      if (!finished) logger.warn('requests were cut off because they took longer than SHUTDOWN_TIMEOUT_MS');
      // What was cut off may still wait for a geocoder, and hold a generation that a reload has replaced.
      closing.abort();
      // Closing the catalog gives up a reload in progress, whose outcome is still recorded in the state.
      await Promise.all([ended, catalog.close()]);
      await resources.close();
    },
  };
}

/** The tallies of a process that serves alone. */
function ownTallies({ rateLimitWindowSeconds: windowSeconds }: Config): Tallies {
  const hits = createHitStore({ windowSeconds, now: () => performance.now() });
  return { hits, counters: createCounters(), nominatimTurns: undefined };
}

/** What answers are made of. */
interface Answering extends Resources {
  readonly tallies: Tallies;
  readonly draining: () => boolean;
  /** Aborted once the last requests have been answered. */
  readonly closing: AbortSignal;
}

async function listenWith(
  config: Config,
  log: LogOutput,
  answering: Answering,
): Promise<{ server: HttpServer; reporting: Reporting }> {
  const { logger, writeLine } = log;
  const { state, keys, catalog, draining } = answering;
  const counted = openCounted(config, logger, answering);
  const { metrics, reporting } = counted;
  let url = '';
  const app = createApp({
    ...counted,
    keyring: keys.keyring,
    countUse: keys.usage.count,
    edition: programEdition(),
    subscriptions: await openSubscriptions(state, config),
    deliveries: openDeliveryCounts(state, config),
    reference: {
      dictionary: readDictionary(),
      ...readPackageFiles(),
      baseUrl: () => config.publicBaseUrl || url,
      publicUrl: config.publicBaseUrl || undefined,
    },
    logger,
    writeLine,
    acquire: catalog.acquire,
    absence: catalog.absence,
    corsOrigins: config.corsOrigins,
    serverTiming: config.serverTiming === 'on',
    draining,
  });
  const server = await listen(app, {
    host: config.host,
    port: config.port,
    settings: { host: describeSetting('host'), port: describeSetting('port') },
    onAcceptError: (error) => logger.error(describeError(error), 'a connection could not be accepted'),
    onRefused: ({ status, requestId }) => {
      metrics.countRefusal(status);
      logger.info({ status, request_id: requestId }, 'a malformed request was refused');
    },
  });
  url = server.url;
  return { server, reporting };
}

/** The parts of the app whose counts are in /metrics, and what reports them. */
function openCounted(config: Config, logger: Logger, answering: Answering) {
  const { keys, catalog, tallies, closing } = answering;
  const { hits, counters, nominatimTurns } = tallies;
  const metrics = createRequestMetrics(counters);
  const limiter = createRateLimiter({ max: config.rateLimitMax, hits });
  const cache = createResponseCache({
    maxEntries: config.cacheMaxSize,
    maxBytes: config.cacheMaxBytes,
    generation: catalog.generation,
    live: catalog.current,
  });
  const geocoder = openGeocoder(config, { catalog, logger, closing, nominatimTurns });
  const narrator = openNarrator(config, logger, closing);
  const dataset = (): LiveDataset | null => liveForMetrics(catalog.current()?.dataset);
  const standing = (): Standing => ({
    servesPublished: isPublished(config.datasetsDir, catalog.generation()),
    expiringKeys: keys.issued.expiringWithin(KEY_NOTICE_DAYS * MS_PER_DAY),
  });
  const reporting = createReporting({ counters, cache, geocoder, narrator, limiter, dataset, standing });
  return { metrics, limiter, cache, geocoder, narrator, reporting };
}
