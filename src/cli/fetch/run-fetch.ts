import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../../config.js';
import { describeReport } from '../../load/fetch/describe-fetch.js';
import { FetchError, FetchSetupError } from '../../load/fetch/fetch-error.js';
import { fetchSources } from '../../load/fetch/fetch-sources.js';
import type { FetchOptions } from '../../load/fetch/fetch-work.js';
import { freeBytesOf } from '../../load/fetch/free-space.js';
import { createHttpClient } from '../../load/fetch/http-client.js';
import { fileSystemReason } from '../../platform/file-system-error.js';
import { CliError } from '../cli-error.js';

const USER_AGENT = 'tract-context';

/**
 * Fetches with the real network, clock and disk, and tells what came of it. Returns false if a file could not be fetched.
 * SIGINT (Ctrl-C) and SIGTERM stop it; what has arrived is kept. Throws `CliError` if it cannot begin, or has to end early.
 */
export async function runFetch(
  options: Pick<FetchOptions, 'outputDir' | 'catalog' | 'selection' | 'progress'>,
  proxy: Pick<Config, 'httpProxy' | 'httpsProxy' | 'noProxy'>,
): Promise<boolean> {
  const report = await withFetchErrors(options.outputDir, async () => {
    const stopping = new AbortController();
    const stop = (): void => stopping.abort();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    const client = createHttpClient(proxy, USER_AGENT);
    try {
      return await fetchSources({
        ...options,
        client,
        signal: stopping.signal,
        environment: {
          now: () => new Date(),
          monotonicMs: () => performance.now(),
          sleep: (ms, signal) => wait(ms, undefined, { signal }),
          random: Math.random,
          freeBytes: freeBytesOf,
        },
      });
    } finally {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      await client.close();
    }
  });
  for (const line of describeReport(report)) options.progress.line(line);
  return report.files.every(({ outcome }) => outcome !== 'failed');
}

/** Turns the expected errors of a fetch into `CliError`s. */
export async function withFetchErrors<T>(outputDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FetchSetupError) throw new CliError(error.message, 1);
    if (error instanceof FetchError && error.failure === 'stopped') {
      throw new CliError('stopped; run the same command again to continue', 1);
    }
    if (error instanceof FetchError) throw new CliError(`${outputDir}: ${error.message}`, 1);
    const reason = fileSystemReason(error);
    if (reason !== undefined) throw new CliError(`${outputDir}: ${reason}`, 1);
    throw error;
  }
}
