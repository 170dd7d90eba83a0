import { once } from 'node:events';
import { startThreadBehindGate } from '../platform/native-gate.js';
import { type Damage, damageError, stoppedError } from './catalog-error.js';
import type { ChangeCounts } from './dataset-admin.js';
import type { Check, CheckReply } from './generation-checks.js';

/** Looks over whole generations, named by their directories. Rejects with {@link CatalogError} where it is stopped. */
export interface GenerationChecks {
  /** Compares every byte with its checksum; gives what is not as it was written. */
  verify(directory: string): Promise<readonly Damage[]>;
  /** The same, then how many tracts differ from those of another. Throws {@link CatalogError} where either is damaged. */
  compare(before: string, directory: string): Promise<ChangeCounts>;
  /** Gives up what is being looked over, and takes no more. */
  stop(): void;
}

/** Carries out a check; rejects as soon as the signal aborts. */
export type RunCheck = (check: Check, signal: AbortSignal) => Promise<CheckReply>;

/**
 * Checks in a thread of their own, which ends with each of them: the one that answers requests must not read hundreds of
 * megabytes at a stretch.
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

/** `runCheck` does it wherever it likes. */
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
    verify: async (directory) => (await run({ directory })).damage,
    compare: async (before, directory) => {
      const { changes, damage } = await run({ directory, before });
      if (!changes) throw damageError(damage);
      return changes;
    },
    stop: () => stopping.abort(),
  };
}
