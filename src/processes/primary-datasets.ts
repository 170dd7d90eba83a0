import { CatalogError } from '../catalog/catalog-error.js';
import type { LiveGeneration } from '../catalog/dataset-admin.js';
import type { ServedDatasets } from '../catalog/served-datasets.js';
import { COMMIT, DISCARD, LIVE, LIVE_IN_ALL, PREPARE } from './dataset-questions.js';
import type { Link } from './link.js';
import type { Processes, Reply } from './primary.js';
import { fromRefusal } from './refusals.js';

/** {@link ServedDatasets} of all processes. */
export interface DatasetsOfAll extends ServedDatasets {
  /**
   * What a process that takes another's place has to open: `CURRENT` may name a later one, that nobody has taken live.
   * Before anything is live it is what was published when the first of them was started, so that all begin alike; undefined
   * where that was nothing.
   */
  generation(): Promise<string | undefined>;
  states(): Promise<ProcessStates>;
}

/** What processes answer from. */
export interface ProcessStates {
  /** What all are to answer from; undefined where nothing is live. */
  readonly wanted: string | undefined;
  /** Of each that told it; undefined for nothing. */
  readonly live: readonly (string | undefined)[];
  /** Whether all told it. */
  readonly complete: boolean;
}

/**
 * The datasets of all processes together. A change has two steps: all make the generation ready, which takes seconds and
 * may be refused by any, and then none is changed; then all take it live, which takes none. `processes()` is
 * undefined until all have started.
 */
export function servedByAll(
  processes: () => Pick<Processes, 'broadcast'> | undefined,
  first?: string | undefined,
): DatasetsOfAll {
  let taken: string | undefined;
  const broadcast: Broadcast = async (question, input) => (await processes()?.broadcast(question, input)) ?? [];
  const live = async (): Promise<LiveGeneration | undefined> => {
    for (const reply of await broadcast(LIVE, null)) if (reply.ok && reply.output) return reply.output;
    return undefined;
  };
  return {
    live: async () => {
      const found = await live();
      // What answers now is also what a replacement has to open, whatever CURRENT names by then.
      taken ??= found?.generation;
      return found;
    },
    generation: async () => {
      taken ??= (await live())?.generation;
      return taken ?? first;
    },
    states: async () => {
      const replies = await broadcast(LIVE, null);
      const told = replies.flatMap((reply) => (reply.ok ? [reply.output?.generation] : []));
      const wanted = taken ?? told.find((generation) => generation !== undefined);
      return { wanted, live: told, complete: told.length > 0 && told.length === replies.length };
    },
    prepare: async (generation) => {
      const replies = await broadcast(PREPARE, { generation });
      if (replies.length === 0) {
        throw new CatalogError('not-everywhere', 'the processes are only starting: nothing was changed; try again');
      }
      const discard = async (): Promise<void> => {
        await broadcast(DISCARD, { generation });
      };
      for (const reply of replies) {
        if (reply.ok && reply.output.ok) continue;
        await discard();
        throw reply.ok && !reply.output.ok
          ? fromRefusal(reply.output)
          : notReady(reply, await broadcast(LIVE, null), generation);
      }
      return {
        generation,
        commit: async () => {
          // From now on, one that takes another's place opens this.
          taken = generation;
          try {
            await commit(broadcast, generation);
          } catch (error) {
            taken = undefined;
            throw error;
          }
        },
        discard,
      };
    },
  };
}

type Broadcast = Processes['broadcast'];
type LiveReply = Reply<LiveGeneration | null>;

/**
 * Has all processes take what they have ready. One that is gone by now is replaced by one that opens the same, and one that
 * does not answer has the question before it, whenever it goes on. Throws {@link CatalogError} where one answers from
 * something else, or none took it.
 */
async function commit(broadcast: Broadcast, generation: string): Promise<void> {
  if ((await broadcast(COMMIT, { generation })).every(({ ok }) => ok)) return;
  // Those that have it take no harm from being asked twice.
  if ((await broadcast(COMMIT, { generation })).every(({ ok }) => ok)) return;
  const live = await broadcast(LIVE, null);
  const told = live.flatMap((reply) => (reply.ok ? [reply.output?.generation] : []));
  if (told.length > 0 && told.every((name) => name === generation)) return;
  const advice = 'reload again, or restart the service';
  throw new CatalogError('not-everywhere', `not all processes took ${generation}: ${describeReplies(live)}; ${advice}`);
}

/** Nothing was changed: the others have dropped what they had ready. */
function notReady(
  { pid, reason = 'no reason' }: { readonly pid: number; readonly reason?: string },
  live: readonly LiveReply[],
  generation: string,
): CatalogError {
  const message = `process ${pid} could not get ${generation} ready (${reason}): nothing was changed, ${describeReplies(live)}`;
  return new CatalogError('not-everywhere', `${message}; try again, or restart the service to take it`);
}

/** Which process answers from what. */
function describeReplies(replies: readonly LiveReply[]): string {
  const states = replies.map((reply) => {
    const state = reply.ok ? `answers from ${reply.output?.generation ?? 'nothing'}` : 'does not answer';
    return `process ${reply.pid} ${state}`;
  });
  return states.join(', ');
}

/** Lets a process learn what all answer from. */
export function answerLiveInAll(link: Pick<Link, 'answer'>, { generation }: Pick<DatasetsOfAll, 'generation'>): void {
  link.answer(LIVE_IN_ALL, async () => (await generation()) ?? null);
}
