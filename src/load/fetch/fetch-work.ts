import { setMaxListeners } from 'node:events';
import { messageOf } from '../../core/message-of.js';
import type { Progress } from '../progress.js';
import type { SourceCatalog } from '../source-catalog.js';
import { FetchError, isOfOneFile } from './fetch-error.js';
import { type FetchedFile, type FetchFileSetup, fetchFile } from './fetch-file.js';
import { createFetchProgress, type FetchProgress } from './fetch-progress.js';
import { createHostLanes } from './host-lanes.js';
import type { HttpClient } from './http-client.js';
import { createNetwork } from './network.js';
import type { FetchSelection, PlannedFile } from './plan.js';
import { storeLayout } from './store-layout.js';

export interface FetchOptions {
  readonly outputDir: string;
  readonly catalog: SourceCatalog;
  readonly selection: FetchSelection;
  readonly client: HttpClient;
  /** Stops the fetch; what has been downloaded so far is kept, and the next fetch resumes from it. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly environment: FetchEnvironment;
}

/** The clock, random numbers, waiting and free disk space, so that tests can replace them. */
export interface FetchEnvironment {
  readonly now: () => Date;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
  /** Rejects if the signal aborts meanwhile. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  /** The number of free bytes on a directory's disk. */
  readonly freeBytes: (directory: string) => number;
}

/** Says how a file was brought up to date, or why that failed. */
export type FileResult = { readonly download: string; readonly path: string } & (
  | FetchedFile
  | { readonly outcome: 'failed'; readonly why: string }
);

/** Limits for requests to an agency's host. */
const PER_HOST = { maxConcurrent: 4, minIntervalMs: 100 };
/** Limits for the user's own mirror, which needs no consideration. */
const OWN_MIRROR = { maxConcurrent: 8, minIntervalMs: 0 };

/** State shared by all files of a fetch. */
export interface FetchWork {
  readonly setup: FetchFileSetup;
  readonly bars: FetchProgress;
  /** Aborted by the first failure that makes it pointless to go on with other files. */
  readonly stop: AbortController;
}

export function createWork({
  outputDir,
  selection,
  environment,
  client,
  progress,
  signal: asked,
}: FetchOptions): FetchWork {
  const stop = new AbortController();
  const signal = AbortSignal.any([asked, stop.signal]);
  // Every file listens to the signal while it is requested or waits for a retry; Node takes more than ten listeners for a
  // leak.
  setMaxListeners(0, signal);
  const { monotonicMs, random, now } = environment;
  const bars = createFetchProgress(progress, monotonicMs);
  const sleep = async (ms: number): Promise<void> => {
    await environment.sleep(ms, signal).catch((error: unknown) => {
      throw new FetchError('stopped', 'stopped', { cause: error });
    });
  };
  const setup = {
    layout: storeLayout(outputDir),
    client,
    signal,
    freeBytes: () => environment.freeBytes(outputDir),
    onBytes: bars.bytes,
    onNote: progress.line,
    lanes: createHostLanes({ ...(selection.mirror === undefined ? PER_HOST : OWN_MIRROR), now: monotonicMs, sleep }),
    network: createNetwork(),
    sleep,
    random,
    now,
  };
  return { setup, bars, stop };
}

/** Fetches all files. A failure of a single file becomes its result; one that concerns all files ends the fetch. */
export async function fetchAll({ setup, bars, stop }: FetchWork, files: readonly PlannedFile[]): Promise<FileResult[]> {
  bars.plan(files);
  const fatal: unknown[] = [];
  const one = async (file: PlannedFile): Promise<FileResult> => {
    const { download, candidates } = file;
    try {
      const { outcome, record } = await fetchFile(setup, file);
      bars.done(file, record.path);
      return { outcome, download, path: record.path, record };
    } catch (error) {
      bars.done(file, undefined);
      if (!isOfOneFile(error)) {
        fatal.push(error);
        stop.abort();
      }
      const why = messageOf(error);
      return { outcome: 'failed', download, path: candidates[0].path, why };
    }
  };
  const results = await Promise.all(files.map(one));
  if (fatal.length > 0) throw fatal[0];
  return results;
}
