import type { LiveGeneration } from '../catalog/admin/dataset-admin.js';
import type { ServedDatasets } from '../catalog/admin/served-datasets.js';
import { CatalogError } from '../catalog/directory/catalog-error.js';
import { COMMIT, DISCARD, fromRefusal, LIVE, LIVE_IN_ALL, PREPARE } from './dataset-questions.js';
import type { Link } from './link.js';
import type { Processes, Reply } from './primary.js';

/** {@link ServedDatasets} over all processes. */
export interface DatasetsOfAll extends ServedDatasets {
  /**
   * The generation that a replacement process has to open; `CURRENT` may name a later one, which no process has taken live.
   * Before any generation is live, it is the one that was published when the first process was started, so that all begin
   * with the same; undefined if none was published.
   */
  generation(): Promise<string | undefined>;
  states(): Promise<ProcessStates>;
}

/** The generations that the processes answer from. */
export interface ProcessStates {
  /** The generation that all should answer from; undefined if none is live. */
  readonly wanted: string | undefined;
  /** See {@link toldGenerations}. */
  readonly live: readonly (string | undefined)[];
  /** Whether all processes replied, and there is at least one. */
  readonly complete: boolean;
}

/**
 * Changes the datasets of all processes together, in two steps. First, all processes prepare the generation, which takes
 * seconds; if any refuses, nothing changes in any of them. Then all take it live, which takes no time. `processes()` is
 * undefined until all have started; `first` is the generation that was published before that.
 */
export function servedByAll(
  processes: () => Pick<Processes, 'broadcast'> | undefined,
  first?: string | undefined,
): DatasetsOfAll {
  /** The generation that a replacement process opens, if not `first`; undefined until any is live, or after a failed commit. */
  let taken: string | undefined;
  /** What the processes answered from when any of them last told. */
  let lastTold: LiveGeneration | undefined;
  const toOpen = (): string | undefined => taken ?? first;
  const broadcast: Broadcast = async (question, input) => (await processes()?.broadcast(question, input)) ?? [];
  const askLive = async (): Promise<LiveReply[]> => {
    const replies = await broadcast(LIVE, null);
    lastTold = toldLive(replies) ?? lastTold;
    return replies;
  };
  const live = async (): Promise<LiveGeneration | undefined> => {
    const replies = await askLive();
    // All of them may have ended at once, for example for lack of memory. Their replacements open what was live.
    const remembered = lastTold?.generation === toOpen() ? lastTold : undefined;
    const found = replies.some(({ ok }) => ok) ? toldLive(replies) : remembered;
    // A replacement has to open what is live now, whatever CURRENT names by then. Another may have been taken meanwhile.
    taken ??= found?.generation;
    return found;
  };
  const take = async (generation: string): Promise<void> => {
    // From now on, a replacement process opens this generation.
    taken = generation;
    try {
      await commit(broadcast, generation);
    } catch (error) {
      taken = undefined;
      throw error;
    }
  };
  return {
    live,
    generation: async () => {
      if (taken === undefined) await live();
      return toOpen();
    },
    states: async () => {
      const replies = await askLive();
      const told = toldGenerations(replies);
      const wanted = taken ?? told.find((generation) => generation !== undefined);
      return { wanted, live: told, complete: told.length > 0 && told.length === replies.length };
    },
    prepare: async (generation) => ({
      isLive: await prepareInAll(broadcast, generation),
      commit: () => take(generation),
      discard: () => discardInAll(broadcast, generation),
    }),
  };
}

type Broadcast = Processes['broadcast'];
type LiveReply = Reply<LiveGeneration | null>;

/**
 * Has all processes prepare a generation, or none of them. Returns whether it is live already in all. Throws
 * {@link CatalogError} if a process refuses, or cannot be asked.
 */
async function prepareInAll(broadcast: Broadcast, generation: string): Promise<boolean> {
  // One that does not even say what it answers from, such as a stopped one, is not waited for as one that prepares.
  const before = await broadcast(LIVE, null);
  for (const reply of before) if (!reply.ok) throw notReady(reply, before, generation);
  const replies = await broadcast(PREPARE, { generation });
  if (replies.length === 0) {
    throw new CatalogError('not-everywhere', 'the processes are still starting: nothing was changed; try again');
  }
  let isLive = true;
  for (const reply of replies) {
    if (!reply.ok) {
      await discardInAll(broadcast, generation);
      throw notReady(reply, await broadcast(LIVE, null), generation);
    }
    if (!reply.output.ok) {
      await discardInAll(broadcast, generation);
      throw fromRefusal(reply.output);
    }
    isLive &&= reply.output.isLive;
  }
  return isLive;
}

async function discardInAll(broadcast: Broadcast, generation: string): Promise<void> {
  await broadcast(DISCARD, { generation });
}

/** The generation of each process that replied; undefined for a process without one. */
function toldGenerations(replies: readonly LiveReply[]): (string | undefined)[] {
  return replies.flatMap((reply) => (reply.ok ? [reply.output?.generation] : []));
}

/** The generation that the first process with any answers from; undefined if none has one. */
function toldLive(replies: readonly LiveReply[]): LiveGeneration | undefined {
  const told = replies.flatMap((reply) => (reply.ok && reply.output ? [reply.output] : []));
  const [one] = told;
  // A process that replaces another has opened the generation later than it went live.
  const since = told.filter(({ generation }) => generation === one?.generation).map((other) => other.since);
  return one && { ...one, since: since.sort()[0] ?? one.since };
}

/**
 * Has all processes take live what they have prepared. A process that has ended meanwhile is replaced by one that opens the
 * same generation, and one that does not answer still has the question queued for when it goes on. Throws
 * {@link CatalogError} if a process answers from another generation, or none took this one.
 */
async function commit(broadcast: Broadcast, generation: string): Promise<void> {
  if ((await broadcast(COMMIT, { generation })).every(({ ok }) => ok)) return;
  // A second question does no harm to processes that have taken it.
  if ((await broadcast(COMMIT, { generation })).every(({ ok }) => ok)) return;
  const live = await broadcast(LIVE, null);
  const told = toldGenerations(live);
  if (told.length > 0 && told.every((name) => name === generation)) return;
  const advice = 'reload again, or restart the service';
  throw new CatalogError(
    'not-everywhere',
    `not all processes made ${generation} live: ${describeReplies(live)}; ${advice}`,
  );
}

/** Says that nothing was changed: the other processes have discarded what they had prepared. */
function notReady(
  { pid, reason }: Extract<LiveReply, { ok: false }>,
  live: readonly LiveReply[],
  generation: string,
): CatalogError {
  const message = `process ${pid} could not prepare ${generation} (${reason}): nothing was changed, ${describeReplies(live)}`;
  return new CatalogError('not-everywhere', `${message}; try again, or restart the service to make it live`);
}

/** Says which generation each process answers from. */
function describeReplies(replies: readonly LiveReply[]): string {
  if (replies.length === 0) return 'all processes have ended and are being replaced';
  const states = replies.map((reply) => {
    const state = reply.ok ? `answers from ${reply.output?.generation ?? 'nothing'}` : 'does not respond';
    return `process ${reply.pid} ${state}`;
  });
  return states.join(', ');
}

/** Lets the process at the other end of a link ask which generation all processes answer from. */
export function answerLiveInAll(link: Pick<Link, 'answer'>, { generation }: Pick<DatasetsOfAll, 'generation'>): void {
  link.answer(LIVE_IN_ALL, async () => (await generation()) ?? null);
}
