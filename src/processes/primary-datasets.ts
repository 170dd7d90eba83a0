import { CatalogError, type DatasetAdmin, type LiveGeneration } from '../catalog/dataset-admin.js';
import type { ServedDatasets } from '../catalog/served-datasets.js';
import { CALL, COMMIT, type DatasetCall, DISCARD, LIVE, LIVE_IN_ALL, PREPARE } from './dataset-operations.js';
import type { Link } from './link.js';
import type { Processes } from './primary.js';
import { fromRefusal, toRefusal } from './refusals.js';

/** {@link ServedDatasets} of all processes. */
export interface DatasetsOfAll extends ServedDatasets {
  /**
   * What a process that takes another's place has to open: `CURRENT` may name a later one, that nobody has taken live.
   * Undefined where nothing is live.
   */
  generation(): Promise<string | undefined>;
}

/**
 * The datasets of all processes together. A change has two steps: all make the generation ready, which takes seconds and
 * may be refused by any, and then none is changed; then all take it live, which takes none. There are none of them until
 * all have started.
 */
export function servedByAll(processes: () => Pick<Processes, 'broadcast'> | undefined): DatasetsOfAll {
  let taken: string | undefined;
  const broadcast: Processes['broadcast'] = async (operation, input) =>
    (await processes()?.broadcast(operation, input)) ?? [];
  const live = async (): Promise<LiveGeneration | undefined> => {
    for (const reply of await broadcast(LIVE, null)) if (reply.ok && reply.output) return reply.output;
    return undefined;
  };
  return {
    live: async () => {
      const found = await live();
      taken ??= found?.generation;
      return found;
    },
    generation: async () => {
      taken ??= (await live())?.generation;
      return taken;
    },
    prepare: async (generation) => {
      const replies = await broadcast(PREPARE, { generation });
      if (replies.length === 0) throw new CatalogError('not-everywhere', 'the processes are only starting');
      const discard = async (): Promise<void> => {
        await broadcast(DISCARD, { generation });
      };
      for (const reply of replies) {
        if (reply.ok && reply.output.ok) continue;
        await discard();
        throw reply.ok && !reply.output.ok ? fromRefusal(reply.output) : notEverywhere(reply);
      }
      return {
        generation,
        commit: () => {
          taken = generation;
          return commit(broadcast, generation);
        },
        discard,
      };
    },
  };
}

/** A process that is gone by now is replaced by one that opens the same. */
async function commit(broadcast: Processes['broadcast'], generation: string): Promise<void> {
  const replies = await broadcast(COMMIT, { generation });
  if (replies.every(({ ok }) => !ok)) throw new CatalogError('not-everywhere', 'no process took the generation');
}

function notEverywhere(reply: { readonly pid: number; readonly reason?: string }): CatalogError {
  return new CatalogError('not-everywhere', `process ${reply.pid} did not get ready: ${reply.reason ?? 'no reason'}`);
}

/** Lets a process learn what all answer from, and its maintainers reach the datasets of all. */
export function answerCalls(
  link: Pick<Link, 'answer'>,
  admin: DatasetAdmin,
  { generation }: Pick<DatasetsOfAll, 'generation'>,
): void {
  link.answer(LIVE_IN_ALL, async () => (await generation()) ?? null);
  link.answer(CALL, async (call) => {
    try {
      return { ok: true, value: await carryOut(admin, call) };
    } catch (error) {
      return toRefusal(error);
    }
  });
}

function carryOut(admin: DatasetAdmin, call: DatasetCall): Promise<unknown> {
  switch (call.method) {
    case 'list':
      return admin.list();
    case 'current':
      return admin.current();
    case 'reload':
      return admin.reload({ dryRun: call.dryRun });
    case 'rollback':
      return admin.rollback();
    case 'prune':
      return admin.prune({ keep: call.keep });
    case 'verify':
      return admin.verify(call.generation);
  }
}
