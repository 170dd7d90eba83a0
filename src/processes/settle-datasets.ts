import { createPublications, type PublicationEvents } from '../catalog/published.js';
import type { DatasetsOfAll } from './primary-datasets.js';

export interface SettlingOptions {
  readonly datasetsDir: string;
  readonly served: Pick<DatasetsOfAll, 'states' | 'prepare'>;
  /** Does something between what maintainers ask for, never beside it. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  readonly events: PublicationEvents;
  readonly pollMs?: number;
}

/** Sees to it that all processes answer from one generation. */
export interface Settling {
  /** Looks until they do: some may be new. */
  start(): void;
  /** For good, and without a word of what is given up therefore. */
  stop(): void;
}

const POLL_MS = 500;

/**
 * Processes take nothing by themselves: of two publications one after the other some would take the first one and
 * others the second. Where nothing is live, what `CURRENT` names is taken in all of them; where some answer from a
 * generation and others do not, the others take that. A damaged one is left alone until it is made anew or another is
 * wanted; whatever else fails is tried again.
 */
export function settleDatasets({ datasetsDir, served, inTurn, events, pollMs }: SettlingOptions): Settling {
  const publications = createPublications(datasetsDir, events);
  let looking = false;
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
  const settle = async (): Promise<void> => {
    const { wanted, live, complete } = await served.states();
    // One that does not answer now cannot be told what to take, either.
    if (!complete) return;
    if (wanted === undefined) await takePublished();
    else if (live.every((generation) => generation === wanted)) rest();
    else await take(wanted);
  };
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      await inTurn(settle);
    } catch (error) {
      if (!stopped) throw error;
    } finally {
      looking = false;
    }
  };
  return {
    start: () => {
      timer ??= setInterval(() => void look(), pollMs ?? POLL_MS).unref();
      void look();
    },
    stop: () => {
      stopped = true;
      rest();
    },
  };
}
