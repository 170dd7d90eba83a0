import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { isWebUrl } from '../core/web-url.js';
import { ADMIN_SETTINGS } from './admin.js';
import { FETCH_SETTINGS } from './fetch.js';
import { GEOCODER_SETTINGS } from './geocoder.js';
import { baseUrl, flag, integer, setting, splitList, text, textIfSet, wholeNumber } from './setting.js';
import { WEBHOOK_SETTINGS } from './webhooks.js';

/** Accepts `auto`, which stands for a value that the program determines itself. */
const autoOr = <T, U>(found: T, schema: z.ZodType<U, string>): z.ZodType<T | U, string> =>
  z.union([z.literal('auto').transform(() => found), schema]);
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
const NARRATIVE_PROVIDERS = ['rules', 'anthropic', 'openai'] as const;
/** A key in printable ASCII, or its digest. A plain key must not begin like a digest: it would be a mistyped one. */
const apiKeyEntry = z.string().regex(/^(?:sha256:[0-9a-fA-F]{64}|(?!sha256:)[\x20-\x7e]{1,256})$/);

/** Every setting of the service. */
export const SETTINGS = {
  host: setting({
    name: 'HOST',
    about: 'Address to listen on.',
    accepts: 'a host name or an IP address',
    fallback: '127.0.0.1',
    schema: text,
  }),
  port: setting({
    name: 'PORT',
    about: 'TCP port to listen on; 0 picks a free one.',
    fallback: '8000',
    ...wholeNumber(0, 65_535),
  }),
  datasetsDir: setting({
    name: 'DATASETS_DIR',
    alias: 'datasets',
    about: 'Directory of published datasets: the `--output` of `compile`.',
    accepts: 'a path',
    fallback: 'datasets/compiled',
    schema: text,
  }),
  watchDatasets: setting({
    name: 'WATCH_DATASETS',
    alias: 'watch',
    about: 'Whether to reload automatically when a dataset is published.',
    fallback: 'false',
    bare: 'true',
    ...flag,
  }),
  stateDir: setting({
    name: 'STATE_DIR',
    about: 'Directory for API keys, webhook subscriptions and the audit log; created if missing.',
    accepts: 'a path',
    fallback: 'state',
    schema: text,
  }),
  publicBaseUrl: setting({
    name: 'PUBLIC_BASE_URL',
    about:
      'URL of the service as clients see it, shown in its reference texts; if unset, the address it listens on, which is of ' +
      'no use to clients if `HOST` is `0.0.0.0` or `::`.',
    fallback: '',
    ...baseUrl({ optional: true }),
  }),
  ...WEBHOOK_SETTINGS,
  apiKeys: setting({
    name: 'API_KEYS',
    about: 'API keys accepted on /v1 besides issued ones, comma-separated.',
    accepts:
      'keys of 1 to 256 printable ASCII characters without commas, or a key’s SHA-256 as sha256:<64 hexadecimal digits>',
    fallback: '',
    schema: z.string().transform(splitList).pipe(z.array(apiKeyEntry)),
    secret: true,
  }),
  rateLimitMax: setting({
    name: 'RATE_LIMIT_MAX',
    about: 'Maximum requests to /v1 per key and window; 0 for no limit.',
    fallback: '60',
    ...wholeNumber(0, 1_000_000),
  }),
  rateLimitWindowSeconds: setting({
    name: 'RATE_LIMIT_WINDOW_SECONDS',
    about: 'Length of the rate-limit window in seconds.',
    fallback: '60',
    ...wholeNumber(1, 86_400),
  }),
  corsOrigins: setting({
    name: 'CORS_ORIGINS',
    about: 'Origins whose web pages may call the API, comma-separated; if empty, browsers block all other origins.',
    accepts: 'origins such as https://example.org or http://localhost:3000, or * for all',
    fallback: '',
    schema: z
      .string()
      .transform(splitList)
      .pipe(z.array(z.string().refine(isOrigin))),
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    about: 'Lowest severity to log.',
    accepts: `one of ${LOG_LEVELS.join(', ')}`,
    fallback: 'info',
    schema: z.enum(LOG_LEVELS),
  }),
  cacheMaxSize: setting({
    name: 'CACHE_MAX_SIZE',
    about: 'Maximum number of responses cached in memory.',
    fallback: '10000',
    ...wholeNumber(0, 10_000_000),
  }),
  cacheMaxBytes: setting({
    name: 'CACHE_MAX_BYTES',
    about: 'Maximum total size of the cached responses in bytes.',
    fallback: String(64 * 1024 * 1024),
    ...wholeNumber(0, 16 * 1024 ** 3),
  }),
  processes: setting({
    name: 'PROCESSES',
    about: 'Number of processes that share the address; auto for one per core.',
    accepts: 'auto, or a whole number from 1 to 64',
    fallback: '1',
    schema: autoOr(Math.min(64, availableParallelism()), integer(1, 64)),
  }),
  workerThreads: setting({
    name: 'WORKER_THREADS',
    about: 'Search threads per process; auto for the process’s share of the cores minus one, but at least 1.',
    accepts: 'auto, or a whole number from 1 to 256',
    fallback: 'auto',
    schema: autoOr(undefined, integer(1, 256)),
  }),
  queueMaxTasks: setting({
    name: 'QUEUE_MAX_TASKS',
    about:
      'Maximum searches waiting for a thread; when it is reached, or the wait would be too long, searches get 503.',
    fallback: '1024',
    ...wholeNumber(1, 100_000),
  }),
  queryTimeoutMs: setting({
    name: 'QUERY_TIMEOUT_MS',
    about: 'Milliseconds after which a search is abandoned and gets 503.',
    fallback: '5000',
    ...wholeNumber(1, 600_000),
  }),
  serverTiming: setting({
    name: 'SERVER_TIMING',
    about: 'Whether responses carry a Server-Timing header that shows where their time went.',
    accepts: 'on or off',
    fallback: 'off',
    schema: z.enum(['on', 'off']),
  }),
  shutdownTimeoutMs: setting({
    name: 'SHUTDOWN_TIMEOUT_MS',
    about: 'Milliseconds that requests in flight get to finish after SIGTERM.',
    fallback: '10000',
    ...wholeNumber(0, 600_000),
  }),
  ...GEOCODER_SETTINGS,
  narrativeProvider: setting({
    name: 'NARRATIVE_PROVIDER',
    about:
      'What writes narratives: rules (built in, no network), or a language model behind an Anthropic or OpenAI API.',
    accepts: `one of ${NARRATIVE_PROVIDERS.join(', ')}`,
    fallback: 'rules',
    schema: z.enum(NARRATIVE_PROVIDERS),
  }),
  narrativeApiKey: setting({
    name: 'NARRATIVE_API_KEY',
    about: 'Key for the language model’s API; an OpenAI-compatible endpoint of your own may need none.',
    accepts: 'printable ASCII characters without spaces',
    fallback: '',
    schema: z.string().regex(/^[\x21-\x7e]*$/),
    secret: true,
  }),
  narrativeBaseUrl: setting({
    name: 'NARRATIVE_BASE_URL',
    about:
      'Base URL of the language model’s API, without the path that the service adds; if unset, the provider’s own.',
    fallback: '',
    ...baseUrl({ optional: true }),
  }),
  narrativeModel: setting({
    name: 'NARRATIVE_MODEL',
    about: 'Name of the language model, as its API knows it; required for every provider except rules.',
    accepts: 'a name of up to 200 characters, not only blanks',
    fallback: '',
    schema: textIfSet(z.string().max(200)),
  }),
  narrativeTimeoutMs: setting({
    name: 'NARRATIVE_TIMEOUT_MS',
    about: 'Milliseconds to wait for the language model before the rules write the narrative instead.',
    fallback: '15000',
    ...wholeNumber(1, 600_000),
  }),
  narrativeMaxConcurrent: setting({
    name: 'NARRATIVE_MAX_CONCURRENT',
    about: 'Maximum concurrent requests to the language model’s API.',
    fallback: '4',
    ...wholeNumber(1, 1000),
  }),
  ...ADMIN_SETTINGS,
  ...FETCH_SETTINGS,
};

export type Settings = typeof SETTINGS;
export type SettingKey = keyof Settings;

/** Cast, since Object.keys returns strings; a constant has no other keys than those of its type. */
export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

/** The flag of a setting. */
export function flagOf(name: string): string {
  return `--${name.toLowerCase().replaceAll('_', '-')}`;
}

/** A setting's variable and flag, as text for people. */
export function describeSetting(key: SettingKey): string {
  const { name } = SETTINGS[key];
  return `${name} (${flagOf(name)})`;
}

/** Whether a text is `*`, or an origin spelled as browsers do, since they compare origins literally. */
function isOrigin(text: string): boolean {
  return text === '*' || (isWebUrl(text) && new URL(text).origin === text);
}
