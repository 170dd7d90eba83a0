import { setMaxListeners } from 'node:events';
import type { Progress } from '../progress.js';
import type { SourceCatalog } from '../source-catalog.js';
import { FetchError } from './fetch-error.js';
import { type FetchFileSetup, fetchFile } from './fetch-file.js';
import { createFetchProgress, type FetchProgress } from './fetch-progress.js';
import { createHostLanes } from './host-lanes.js';
import type { HttpClient } from './http-client.js';
import type { FetchSelection, PlannedFile } from './plan.js';
import type { FetchRecord } from './records.js';
import { storeLayout } from './store-layout.js';

export interface FetchOptions {
  readonly outputDir: string;
  readonly catalog: SourceCatalog;
  readonly selection: FetchSelection;
  readonly client: HttpClient;
  /** Ends the fetch; what has come so far is kept, and gone on with next time. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly environment: FetchEnvironment;
}

/** Clock, chance, waiting and the disk, as tests replace them. */
export interface FetchEnvironment {
  readonly now: () => Date;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number;
  /** Rejects where the signal aborts meanwhile. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
  /** Bytes that are free on the disk of a directory. */
  readonly freeBytes: (directory: string) => number;
}

/** A file that is up to date now, or why it is not. */
export type FileResult =
  | {
      readonly outcome: 'new' | 'updated' | 'unchanged';
      readonly download: string;
      readonly path: string;
      readonly record: FetchRecord;
    }
  | { readonly outcome: 'failed'; readonly download: string; readonly path: string; readonly why: string };

/** So many files at a time from one host, and so far apart. */
const PER_HOST = { maxConcurrent: 4, minIntervalMs: 100 };
/** One's own mirror need not be spared. */
const OWN_MIRROR = { maxConcurrent: 8, minIntervalMs: 0 };

/** What all files of a fetch share. */
export interface FetchWork {
  readonly setup: FetchFileSetup;
  readonly bars: FetchProgress;
  /** Ends everything else where going on makes no sense. */
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
  // Every file under way listens, while it is asked for or waits to be asked for again; Node takes more than ten for a leak.
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
    sleep,
    random,
    now,
  };
  return { setup, bars, stop };
}

/** All files; one that fails for itself is a result, what concerns all of them ends all. */
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
      const isOwn = error instanceof FetchError && error.failure !== 'stopped' && error.failure !== 'space';
      if (!isOwn) {
        fatal.push(error);
        stop.abort();
      }
      const why = error instanceof Error ? error.message : String(error);
      return { outcome: 'failed', download, path: candidates[0].path, why };
    }
  };
  const results = await Promise.all(files.map(one));
  if (fatal.length > 0) throw fatal[0];
  return results;
}
