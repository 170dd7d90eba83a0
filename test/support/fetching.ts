import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type FetchReport, fetchSources } from '../../src/load/fetch/fetch-sources.js';
import type { FetchOptions } from '../../src/load/fetch/fetch-work.js';
import { createHttpClient } from '../../src/load/fetch/http-client.js';
import type { FetchSelection } from '../../src/load/fetch/plan.js';
import { readSourceCatalog } from '../../src/load/source-catalog.js';
import { temporaryDirectory } from './temporary-directory.js';

export const NO_PROXY_SETTINGS = { httpProxy: '', httpsProxy: '', noProxy: '' };

/** A selection of everything for one small state, Delaware; `given` overrides parts of it. */
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
  /** The lines of progress that were printed. */
  readonly lines: readonly string[];
  /** The duration of every wait, in milliseconds. */
  readonly waits: readonly number[];
}

/** Runs a fetch whose waits take no time: they are recorded, and only advance its clock. */
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
