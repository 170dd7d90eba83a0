import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type FetchReport, fetchSources } from '../../src/load/fetch/fetch-sources.js';
import type { FetchOptions } from '../../src/load/fetch/fetch-work.js';
import { createHttpClient } from '../../src/load/fetch/http-client.js';
import type { FetchSelection } from '../../src/load/fetch/plan.js';
import { readSourceCatalog } from '../../src/load/source-catalog.js';
import { temporaryDirectory } from './temporary-directory.js';

export const NO_PROXY_SETTINGS = { httpProxy: '', httpsProxy: '', noProxy: '' };

/** Everything by default, for one small state, from a mirror. */
export const selection = (given: Partial<FetchSelection>): FetchSelection => ({
  sources: undefined,
  states: ['10'],
  year: undefined,
  trendYears: undefined,
  mirror: undefined,
  censusApiKey: '',
  ...given,
});

export interface TestFetch {
  readonly outputDir: string;
  readonly report: FetchReport;
  /** What was said while it ran. */
  readonly lines: readonly string[];
  /** Milliseconds of every wait. */
  readonly waits: readonly number[];
}

/** Fetches without ever waiting. */
export async function runTestFetch(
  given: Partial<FetchSelection>,
  options: Partial<FetchOptions> & Partial<FetchOptions['environment']> & { readonly silenceTimeoutMs?: number } = {},
): Promise<TestFetch> {
  const lines: string[] = [];
  const waits: number[] = [];
  const { outputDir = join(temporaryDirectory(), 'raw') } = options;
  const client = options.client ?? createHttpClient(NO_PROXY_SETTINGS, 'test', options.silenceTimeoutMs);
  onTestFinished(() => client.close());
  let elapsedMs = 0;
  const report = await fetchSources({
    outputDir,
    catalog: options.catalog ?? readSourceCatalog(),
    selection: selection(given),
    client,
    signal: options.signal ?? new AbortController().signal,
    progress: options.progress ?? { line: (line) => lines.push(line), step: () => {} },
    environment: {
      now: options.now ?? (() => new Date('2026-01-02T03:04:05Z')),
      monotonicMs: () => performance.now() + elapsedMs,
      sleep: async (ms) => {
        waits.push(ms);
        elapsedMs += ms;
      },
      random: options.random ?? (() => 1),
      freeBytes: options.freeBytes ?? (() => 1e15),
    },
  });
  return { outputDir, report, lines, waits };
}
