import { createPublications, type PublicationEvents } from '../catalog/published.js';
import type { DatasetsOfAll } from './primary-datasets.js';

export interface ReconciliationOptions {
  readonly datasetsDir: string;
  readonly served: Pick<DatasetsOfAll, 'states' | 'prepare'>;
  /** Runs `work` serialized with what maintainers ask for, never at the same time. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  readonly events: PublicationEvents;
  readonly pollMs?: number;
}

/** Makes all processes answer from one generation. */
export interface Reconciliation {
  /** Checks again and again until they do; to be called when a process may be new. */
  start(): void;
  /** Stops for good; what is given up because of it is not reported. */
  stop(): void;
}

const POLL_MS = 500;

/**
 * Processes take nothing live by themselves: of two publications in quick succession, some would take the first and others
 * the second. If no generation is live, all of them take the one that `CURRENT` names; if some processes answer from a
 * generation and others do not, the others take that one. A damaged generation is left alone until it is compiled anew or
 * another is wanted; any other failure is retried.
 */
export function reconcileDatasets({
  datasetsDir,
  served,
  inTurn,
  events,
  pollMs,
}: ReconciliationOptions): Reconciliation {
  const publications = createPublications(datasetsDir, events);
  let looking = false;
  /** Whether a process may be new that the last answers do not cover. */
  let mayBeNew = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const rest = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const take = async (generation: string): Promise<void> => {
    if (publications.isRefused(generation)) return;
    try {
      const prepared = await served.prepare(generation);
      await prepared.commit();
    } catch (error) {
      if (!stopped) publications.failed(generation, error);
    }
  };
  const takePublished = async (): Promise<void> => {
    const generation = publications.next();
    if (generation !== undefined) await take(generation);
  };
  const reconcile = async (): Promise<void> => {
    mayBeNew = false;
    const { wanted, live, complete } = await served.states();
    // A process that does not answer now could not be told what to take, either.
    if (!complete) return;
    if (wanted === undefined) await takePublished();
    else if (!live.every((generation) => generation === wanted)) await take(wanted);
    else if (!mayBeNew) rest();
  };
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      await inTurn(reconcile);
    } catch (error) {
      if (!stopped) throw error;
    } finally {
      looking = false;
    }
  };
  return {
    start: () => {
      if (stopped) return;
      mayBeNew = true;
      timer ??= setInterval(() => void look(), pollMs ?? POLL_MS).unref();
      void look();
    },
    stop: () => {
      stopped = true;
      rest();
    },
  };
}
