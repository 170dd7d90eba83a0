import type { ServedDatasets } from '../catalog/admin/served-datasets.js';
import type { PreparedGeneration } from '../catalog/candidates.js';
import { COMMIT, DISCARD, LIVE, LIVE_IN_ALL, PREPARE, toRefusal } from './dataset-questions.js';
import type { Link } from './link.js';

/** Lets the primary change the generation that this process answers from. */
export function answerDatasets(link: Pick<Link, 'answer'>, served: ServedDatasets): void {
  /**
   * By generation, each kept from the moment it begins: the primary may give up waiting for one and discard it before it is
   * ready.
   */
  const preparations = new Map<string, Promise<PreparedGeneration>>();
  const take = async (generation: string): Promise<PreparedGeneration | undefined> => {
    const preparing = preparations.get(generation);
    preparations.delete(generation);
    return preparing?.catch(() => undefined);
  };
  link.answer(PREPARE, async ({ generation }) => {
    const before = take(generation);
    const preparing = served.prepare(generation);
    preparations.set(generation, preparing);
    try {
      const { isLive } = await preparing;
      return { ok: true, isLive };
    } catch (error) {
      return toRefusal(error);
    } finally {
      await (await before)?.discard();
    }
  });
  link.answer(COMMIT, async ({ generation }) => {
    // A process that has just replaced another was not asked to prepare anything.
    const prepared = (await take(generation)) ?? (await served.prepare(generation));
    await prepared.commit();
    return null;
  });
  link.answer(DISCARD, async ({ generation }) => {
    await (await take(generation))?.discard();
    return null;
  });
  link.answer(LIVE, async () => (await served.live()) ?? null);
}

/** The generation that all other processes answer from, and this one has to; undefined if they have none yet. */
export async function liveInAll(link: Pick<Link, 'ask'>): Promise<string | undefined> {
  return (await link.ask(LIVE_IN_ALL, null)) ?? undefined;
}

/**
 * Takes live the generation that the other processes took while this one was starting and could not be told. If it cannot
 * be opened here, this process stays on what it has: the primary will ask it again, and logs the reason.
 */
export async function catchUp(link: Pick<Link, 'ask'>, served: ServedDatasets): Promise<void> {
  const generation = await liveInAll(link);
  if (generation === undefined || (await served.live())?.generation === generation) return;
  try {
    const prepared = await served.prepare(generation);
    await prepared.commit();
  } catch {
    // The primary logs the reason.
  }
}
