import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CatalogError, type ChangeCounts, type Damage } from './dataset-admin.js';
import type { Check, CheckReply } from './generation-checks.js';

/** Looks over whole generations, named by their directories. */
export interface GenerationChecks {
  /** Compares every byte with its checksum; gives what is not as it was written. */
  verify(directory: string): Promise<readonly Damage[]>;
  /** The same, then how many tracts differ from those of another. Throws {@link CatalogError} where either is damaged. */
  compare(before: string, directory: string): Promise<ChangeCounts>;
}

/**
 * Checks in a thread of their own, which ends with each of them: the one that answers requests must not read hundreds of
 * megabytes at a stretch.
 */
export function createCheckThreads(): GenerationChecks {
  const file = new URL('./check-thread.js', import.meta.url);
  return createChecks(async (check) => {
    const thread = new Worker(file, { workerData: check });
    const [reply]: CheckReply[] = await once(thread, 'message');
    await thread.terminate();
    if (!reply) throw new Error('a check ended without a reply');
    return reply;
  });
}

/** `run` carries out a check, wherever it likes. */
export function createChecks(run: (check: Check) => Promise<CheckReply>): GenerationChecks {
  return {
    verify: async (directory) => (await run({ directory })).damage,
    compare: async (before, directory) => {
      const { changes, damage } = await run({ directory, before });
      if (!changes) throw damageError(damage);
      return changes;
    },
  };
}

/** Says of damaged files what a maintainer can do. The list is not empty. */
export function damageError([first, ...others]: readonly Damage[]): CatalogError {
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const code = first?.code === 'unsupported-version' ? 'unsupported-format' : 'damaged';
  return new CatalogError(code, `${first?.message ?? 'the generation is damaged'}${more}`, first);
}
