import { once } from 'node:events';
import { startThreadBehindGate } from '../../platform/native-gate.js';
import type { WorkPriority } from '../../platform/thread-priority.js';
import { type Damage, damageError, stoppedError } from '../directory/catalog-error.js';
import type { ChangeCounts } from './dataset-admin.js';
import type { Check, CheckReply } from './generation-checks.js';

/** Checks whole generations, given by their directories. Rejects with CatalogError when stopped. */
export interface GenerationChecks {
  /** Verifies the checksums of every file and that the files fit together, and returns the damage found. */
  verify(directory: string): Promise<readonly Damage[]>;
  /**
   * Verifies the checksums, and with `open` that the files fit together, then counts the tracts that differ from `before`.
   * Undefined if `before` cannot be read. Throws CatalogError on damage.
   */
  compare(before: string, directory: string, options: Pick<Check, 'open'>): Promise<ChangeCounts | undefined>;
  /** Aborts the running checks and refuses new ones. Resolves when all have ended. */
  stop(): Promise<void>;
}

/** Runs a check; rejects as soon as the signal aborts. */
export type RunCheck = (check: Check, signal: AbortSignal) => Promise<CheckReply>;

/** Runs checks at a given priority. */
interface CheckRunner {
  readonly run: (check: Check, signal: AbortSignal, priority: WorkPriority) => Promise<CheckReply>;
  /** Resolves when all that it has begun has ended. */
  readonly ended: () => Promise<unknown>;
}

/** Usually a check takes some tenths of a second. */
const PATIENCE_MS = 3_000;

/**
 * Runs each check in a worker thread of its own: the thread that answers requests must not read hundreds of megabytes at
 * a stretch.
 */
export function createCheckThreads(): GenerationChecks {
  const { run, ended } = createThreadRunner();
  return createChecks(patiently(run), ended);
}

function createThreadRunner(): CheckRunner {
  const file = new URL('./check-thread.js', import.meta.url);
  const running = new Set<Promise<void>>();
  return {
    run: async (check, signal, priority) => {
      const { thread, end } = startThreadBehindGate(file, { check, priority });
      const replied: Promise<CheckReply[]> = once(thread, 'message', { signal });
      // Not awaited before the reply is passed on: a thread of the lowest priority may take long to end, too.
      const ended = replied.then(end, end).finally(() => running.delete(ended));
      running.add(ended);
      const [reply] = await replied;
      if (!reply) throw new Error('a check ended without a reply');
      return reply;
    },
    ended: () => Promise.all(running),
  };
}

/**
 * Runs a check at the lowest priority, and anew at a higher one if that takes too long: where other programs keep all cores
 * busy, a maintainer would wait for minutes.
 */
export function patiently(run: CheckRunner['run'], patienceMs = PATIENCE_MS): RunCheck {
  return async (check, signal) => {
    const impatience = AbortSignal.timeout(patienceMs);
    try {
      return await run(check, AbortSignal.any([signal, impatience]), 'lowest');
    } catch (error) {
      if (signal.aborted || !impatience.aborted) throw error;
      return run(check, signal, 'low');
    }
  };
}

/** The checks as carried out by `runCheck`, in whatever thread it chooses; `ended` resolves when none is left. */
export function createChecks(
  runCheck: RunCheck,
  ended: CheckRunner['ended'] = () => Promise.resolve(),
): GenerationChecks {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (check: Check): Promise<CheckReply> => {
    try {
      signal.throwIfAborted();
      return await runCheck(check, signal);
    } catch (error) {
      throw signal.aborted ? stoppedError() : error;
    }
  };
  return {
    verify: async (directory) => (await run({ directory, open: true })).damage,
    compare: async (before, directory, { open }) => {
      const { changes, damage } = await run({ directory, before, open });
      if (damage.length > 0) throw damageError(damage);
      return changes;
    },
    stop: async () => {
      stopping.abort();
      await ended();
    },
  };
}
