import { createToldOnce, findPublished, isLasting, reasonOf } from '../catalog/published.js';
import type { DatasetsOfAll } from './primary-datasets.js';

export interface SettlingOptions {
  readonly datasetsDir: string;
  readonly served: Pick<DatasetsOfAll, 'states' | 'prepare'>;
  /** Does something between what maintainers ask for, never beside it. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  readonly events: {
    nothingPublished(): void;
    /** Once for each generation and reason; without a generation where `CURRENT` itself names none. */
    failed(generation: string | undefined, reason: string): void;
  };
  readonly pollMs?: number;
}

/** Sees to it that all processes answer from one generation. */
export interface Settling {
  /** Looks until they do: some may be new. */
  start(): void;
  stop(): void;
}

const POLL_MS = 500;

/**
 * Processes take nothing by themselves: of two publications one after the other some would take the first one and others the
 * second. Where nothing is live, what `CURRENT` names is taken in all of them; where some answer from a generation and others do
 * not, the others take that. A damaged one is left alone until another is wanted; whatever else fails is tried again.
 */
export function settleDatasets({ datasetsDir, served, inTurn, events, pollMs }: SettlingOptions): Settling {
  const fail = createToldOnce(events.failed);
  let refused: string | undefined;
  let toldOfNothing = false;
  let looking = false;
  let timer: NodeJS.Timeout | undefined;

  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const take = async (generation: string): Promise<void> => {
    if (generation === refused) return;
    refused = undefined;
    try {
      const prepared = await served.prepare(generation);
      await prepared.commit();
    } catch (error) {
      fail(generation, reasonOf(error));
      if (isLasting(error)) refused = generation;
    }
  };
  const takePublished = async (): Promise<void> => {
    const { generation, problem } = findPublished(datasetsDir);
    if (problem !== undefined) fail(generation, problem);
    else if (generation !== undefined) await take(generation);
    else if (!toldOfNothing) {
      toldOfNothing = true;
      events.nothingPublished();
    }
  };
  const settle = async (): Promise<void> => {
    const { wanted, live, complete } = await served.states();
    // One that does not answer now cannot be told what to take, either.
    if (!complete) return;
    if (wanted === undefined) await takePublished();
    else if (live.every((generation) => generation === wanted)) stop();
    else await take(wanted);
  };
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      await inTurn(settle);
    } finally {
      looking = false;
    }
  };
  return {
    start: () => {
      timer ??= setInterval(() => void look(), pollMs ?? POLL_MS).unref();
      void look();
    },
    stop,
  };
}
