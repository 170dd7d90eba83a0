import type { PreparedGeneration } from '../catalog/catalog.js';
import type { DatasetAdmin } from '../catalog/dataset-admin.js';
import type { ServedDatasets } from '../catalog/served-datasets.js';
import { CALL, COMMIT, type DatasetCall, DISCARD, LIVE, PREPARE } from './dataset-operations.js';
import type { Link } from './link.js';
import { fromRefusal, toRefusal } from './refusals.js';

/** Lets the primary change what this process answers from. */
export function answerDatasets(link: Pick<Link, 'answer'>, served: ServedDatasets): void {
  const ready = new Map<string, PreparedGeneration>();
  const take = (generation: string): PreparedGeneration | undefined => {
    const prepared = ready.get(generation);
    ready.delete(generation);
    return prepared;
  };
  link.answer(PREPARE, async ({ generation }) => {
    try {
      const prepared = await served.prepare(generation);
      await take(generation)?.discard();
      ready.set(generation, prepared);
      return { ok: true };
    } catch (error) {
      return toRefusal(error);
    }
  });
  link.answer(COMMIT, async ({ generation }) => {
    // A process that has just taken another's place was not asked to prepare anything.
    const prepared = take(generation) ?? (await served.prepare(generation));
    await prepared.commit();
    return null;
  });
  link.answer(DISCARD, async ({ generation }) => {
    await take(generation)?.discard();
    return null;
  });
  link.answer(LIVE, async () => (await served.live()) ?? null);
}

/** What maintainers ask this process for, done by the primary in all of them. */
export function adminOfPrimary(link: Pick<Link, 'ask'>): DatasetAdmin {
  async function call<T>(input: DatasetCall): Promise<T> {
    const outcome = await link.ask(CALL, input);
    if (!outcome.ok) throw fromRefusal(outcome);
    // The primary, which is the same program, gives what its own method of that name does.
    return outcome.value as T;
  }
  return {
    list: () => call({ method: 'list' }),
    current: () => call({ method: 'current' }),
    reload: ({ dryRun } = {}) => call({ method: 'reload', dryRun }),
    rollback: () => call({ method: 'rollback' }),
    prune: ({ keep } = {}) => call({ method: 'prune', keep }),
    verify: (generation) => call({ method: 'verify', generation }),
  };
}
