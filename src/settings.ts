import { availableParallelism } from 'node:os';
import { z } from 'zod';

/** One setting: read from a flag, else from the environment, else the default. */
export interface Setting<T> {
  /** The environment variable. The flag is the same in kebab case: `DATASETS_DIR` is `--datasets-dir`. */
  readonly name: string;
  readonly alias?: string;
  readonly about: string;
  /** What it may be, as people are told when it is something else. */
  readonly accepts: string;
  /** Used where neither flag nor variable is set; text like theirs. */
  readonly fallback: string;
  readonly schema: z.ZodType<T, string>;
  /** Secrets are never printed, not even when they are wrong. */
  readonly secret?: true;
}

const setting = <T>(entry: Setting<T>): Setting<T> => entry;
const text = z.string().min(1);
const integer = (least: number, most: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(least).max(most));
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
/** Printable ASCII, or the digest of a key; a plain key that begins like a digest would be a mistyped digest. */
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
    about: 'TCP port to listen on; 0 takes a free one.',
    accepts: 'a whole number from 0 to 65535',
    fallback: '8000',
    schema: integer(0, 65_535),
  }),
  datasetsDir: setting({
    name: 'DATASETS_DIR',
    alias: 'datasets',
    about: 'Directory that `compile` published to.',
    accepts: 'a path',
    fallback: 'datasets/compiled',
    schema: text,
  }),
  apiKeys: setting({
    name: 'API_KEYS',
    about: 'Keys that open /v1, comma-separated.',
    accepts: 'keys of 1 to 256 printable ASCII characters without commas, or sha256:<64 hexadecimal digits> of one',
    fallback: '',
    schema: z.string().transform(splitList).pipe(z.array(apiKeyEntry)),
    secret: true,
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    about: 'Least severe log line that is written.',
    accepts: `one of ${LOG_LEVELS.join(', ')}`,
    fallback: 'info',
    schema: z.enum(LOG_LEVELS),
  }),
  cacheMaxSize: setting({
    name: 'CACHE_MAX_SIZE',
    about: 'Most finished responses kept in memory.',
    accepts: 'a whole number from 0 to 10000000',
    fallback: '10000',
    schema: integer(0, 10_000_000),
  }),
  workerThreads: setting({
    name: 'WORKER_THREADS',
    about: 'Threads that answer searches.',
    accepts: 'a whole number from 1 to 256',
    fallback: String(Math.max(1, availableParallelism() - 1)),
    schema: integer(1, 256),
  }),
  queueMaxTasks: setting({
    name: 'QUEUE_MAX_TASKS',
    about: 'Searches that may wait for a thread; more are answered 503.',
    accepts: 'a whole number from 1 to 100000',
    fallback: '1024',
    schema: integer(1, 100_000),
  }),
  queryTimeoutMs: setting({
    name: 'QUERY_TIMEOUT_MS',
    about: 'Milliseconds after which a search is given up with 503.',
    accepts: 'a whole number from 1 to 600000',
    fallback: '5000',
    schema: integer(1, 600_000),
  }),
  shutdownTimeoutMs: setting({
    name: 'SHUTDOWN_TIMEOUT_MS',
    about: 'Milliseconds that requests in flight get to finish after SIGTERM.',
    accepts: 'a whole number from 0 to 600000',
    fallback: '10000',
    schema: integer(0, 600_000),
  }),
};

export type Settings = typeof SETTINGS;
export type SettingKey = keyof Settings;

/** The flag of a setting. */
export function flagOf(name: string): string {
  return `--${name.toLowerCase().replaceAll('_', '-')}`;
}

function splitList(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
