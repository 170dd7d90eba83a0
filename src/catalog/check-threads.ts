import { once } from 'node:events';
import { startThreadBehindGate } from '../platform/native-gate.js';
import { type Damage, damageError, stoppedError } from './catalog-error.js';
import type { ChangeCounts } from './dataset-admin.js';
import type { Check, CheckReply } from './generation-checks.js';

/** Checks whole generations, given by their directories. Rejects with {@link CatalogError} when stopped. */
export interface GenerationChecks {
  /** Verifies the checksums of every file and that the files fit together, and returns the damage found. */
  verify(directory: string): Promise<readonly Damage[]>;
  /**
   * Verifies the checksums, and with `open` that the files fit together, then counts the tracts that differ from `before`.
   * Throws {@link CatalogError} on damage.
   */
  compare(before: string, directory: string, options: Pick<Check, 'open'>): Promise<ChangeCounts>;
  /** Aborts the running checks and refuses new ones. */
  stop(): void;
}

/** Runs a check; rejects as soon as the signal aborts. */
export type RunCheck = (check: Check, signal: AbortSignal) => Promise<CheckReply>;

/**
 * Runs each check in a worker thread of its own: the thread that answers requests must not read hundreds of megabytes at
 * a stretch.
 */
export function createCheckThreads(): GenerationChecks {
  const file = new URL('./check-thread.js', import.meta.url);
  return createChecks(async (check, signal) => {
    const { thread, end } = startThreadBehindGate(file, check);
    try {
      const [reply]: CheckReply[] = await once(thread, 'message', { signal });
      if (!reply) throw new Error('a check ended without a reply');
      return reply;
    } finally {
      await end();
    }
  });
}

/** The checks as carried out by `runCheck`, in whatever thread it chooses. */
export function createChecks(runCheck: RunCheck): GenerationChecks {
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
      if (!changes) throw damageError(damage);
      return changes;
    },
    stop: () => stopping.abort(),
  };
}
