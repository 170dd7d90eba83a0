import { onTestFinished, vi } from 'vitest';
import { openCatalog } from '../../src/catalog/catalog.js';
import { openDataset } from '../../src/format/dataset.js';
import { createCountingGeocoder } from '../../src/geocode/counting-geocoder.js';
import { type Geocoder, GeocoderUnavailableError } from '../../src/geocode/geocoder.js';
import { createRateLimiter } from '../../src/http/access/rate-limit.js';
import { type AppDeps, createApp } from '../../src/http/app.js';
import { createResponseCache } from '../../src/http/cache/response-cache.js';
import type { Generation } from '../../src/http/generation.js';
import { createReporting } from '../../src/http/metrics/reporting.js';
import { createRequestMetrics } from '../../src/http/metrics/request-metrics.js';
import { listen } from '../../src/http/server.js';
import { createKeyring } from '../../src/keys/keyring.js';
import { createLogger } from '../../src/log.js';
import { createNarrator } from '../../src/narrative/narrator.js';
import type { QueryPool } from '../../src/pool/pool.js';
import { PoolError } from '../../src/pool/request.js';
import { readDictionary } from '../../src/query/dictionary.js';
import { createCounters } from '../../src/tallies/counters.js';
import { createHitStore } from '../../src/tallies/hit-store.js';
import type { Subscriptions } from '../../src/webhooks/subscriptions.js';
import { temporaryDirectory } from './temporary-directory.js';
import { publishTinyDataset } from './tiny-dataset.js';

/** The API key that a {@link TestApp} accepts. */
export const APP_KEY = 'a-key-for-tests';

/** A geocoder that is unavailable for every address, instead of not finding it. */
const NO_GEOCODER: Geocoder = {
  geocode: () => Promise.reject(new GeocoderUnavailableError('no geocoder is configured')),
};

/** The application in this process, behind a real HTTP server. */
export interface TestApp {
  readonly url: string;
  /** Sends a request, by default a GET, with the key unless `headers` are given. */
  get(path: string, init?: RequestInit): Promise<Response>;
  readonly logLines: string[];
}

/** Replacements for parts of the application. */
export interface TestAppOptions extends Partial<Omit<AppDeps, 'geocoder' | 'acquire'>> {
  /** The live generation; none by default. */
  readonly current?: () => Generation | undefined;
  readonly geocoder?: Geocoder;
  /** 0 by default, which is no limit. */
  readonly rateLimitMax?: number;
  /** 7 by default. */
  readonly cacheMaxSize?: number;
}

/** Starts the application, by default without a dataset, until the end of the test. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const {
    rateLimitMax = 0,
    cacheMaxSize = 7,
    geocoder = NO_GEOCODER,
    current = () => undefined,
    ...overrides
  } = options;
  const logLines: string[] = [];
  const counters = createCounters();
  const metrics = createRequestMetrics(counters);
  const reported = {
    limiter: createRateLimiter({
      max: rateLimitMax,
      // No time passes, so that an answer's seconds do not depend on the speed of the machine.
      hits: createHitStore({ windowSeconds: 60, now: () => 0 }),
    }),
    edition: 'test',
    cache: createResponseCache({
      maxEntries: cacheMaxSize,
      maxBytes: 1 << 20,
      generation: () => current()?.dataset.generation,
      live: current,
    }),
    geocoder: createCountingGeocoder(geocoder),
    narrator: createNarrator({ provider: 'rules' }),
  };
  const standing = () => ({ servesPublished: true, expiringKeys: 0 });
  const { limiter = reported.limiter, cache = reported.cache, narrator = reported.narrator } = overrides;
  const app = createApp({
    ...reported,
    keyring: createKeyring([APP_KEY]),
    countUse: () => {},
    metrics,
    reporting: createReporting({ counters, ...reported, limiter, cache, narrator, dataset: () => null, standing }),
    subscriptions: noSubscriptions(),
    deliveries: () => Promise.resolve([]),
    reference: { dictionary: readDictionary(), examples: {}, version: '0.0.0', baseUrl: () => 'http://127.0.0.1:8000' },
    logger: createLogger('debug', { write: (line) => logLines.push(line) }),
    writeLine: (line) => logLines.push(line),
    acquire: () => {
      const value = current();
      return value && { value, release: () => {} };
    },
    absence: () => 'No dataset published yet.',
    corsOrigins: [],
    serverTiming: false,
    draining: () => false,
    ...overrides,
  });
  const server = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    onRefused: ({ status }) => metrics.countRefusal(status),
    onAcceptError: () => {},
  });
  onTestFinished(async () => {
    await server.drain(0);
  });
  return {
    url: server.url,
    logLines,
    get: (path, init = {}) => fetch(`${server.url}${path}`, { headers: { 'X-API-Key': APP_KEY }, ...init }),
  };
}

/** Makes the tiny dataset live until the end of the test, with a pool that runs `offer`. */
export function liveWith(offer: QueryPool['offer']): () => Generation | undefined {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const run: QueryPool['run'] = (task, client) => offer(task, client) ?? Promise.reject(new PoolError('queue-full'));
  const open = (directory: string): Generation => {
    const dataset = openDataset(directory);
    return {
      dataset,
      pool: {
        offer,
        run,
        runAlone: (task) => run(task),
        close: () => Promise.resolve(),
      },
    };
  };
  const catalog = openCatalog({
    datasetsDir,
    open,
    openBeside: (directory) => Promise.resolve(open(directory)),
    warm: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    release: ({ dataset }) => dataset.release(),
    now: () => new Date(),
    events: { opened: vi.fn(), nothingPublished: vi.fn(), failed: vi.fn(), closed: vi.fn() },
  });
  onTestFinished(() => catalog.close());
  return catalog.current;
}

function noSubscriptions(): Subscriptions {
  return {
    urlProblem: () => undefined,
    create: () => Promise.resolve({ ok: false, code: 'limit' }),
    list: () => Promise.resolve([]),
    get: () => Promise.resolve(undefined),
    remove: () => Promise.resolve(undefined),
    signingSecret: () => Promise.resolve(undefined),
  };
}
