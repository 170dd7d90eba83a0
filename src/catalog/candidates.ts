import { asCatalogError, stoppedError } from './directory/catalog-error.js';
import type { Opened } from './open-generation.js';

/** A generation that is ready to go live, in one process or several. Call either `commit` or `discard`, exactly once. */
export interface PreparedGeneration {
  /** Whether it is live already, with these very files, in every process: neither `commit` nor `discard` does anything. */
  readonly isLive: boolean;
  /**
   * Takes the generation live: requests that begin afterwards are answered from it, earlier ones finish on the previous
   * generation. Rejects with CatalogError if the service has stopped in the meantime.
   */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** Generations that have been opened beside the live one to replace it. */
export interface Candidates {
  /** Opens a generation and makes it ready. Rejects with CatalogError. */
  prepare(generation: string): Promise<PreparedGeneration>;
  /** Discards every candidate, ready or not, and refuses new ones. Resolves when all of them are closed. */
  close(): Promise<void>;
}

export interface CandidatesOptions<T> {
  open(generation: string): Promise<Opened<T>>;
  /** Warms a generation up until it is as fast as one that has long been live; ends soon after `stop` is called. */
  warm(value: T): Promise<void>;
  /** Ends the workers that serve the generation. */
  stop(value: T): Promise<void>;
  /** Frees the generation's memory. */
  release(opened: Opened<T>): void;
  goLive(opened: Opened<T>): void;
}

export function createCandidates<T>({ open, warm, stop, release, goLive }: CandidatesOptions<T>): Candidates {
  let closed = false;
  const preparing = new Set<Promise<PreparedGeneration>>();
  /** The `discard` function of each generation that is open and not yet live. */
  const waiting = new Set<() => Promise<void>>();

  const prepare = async (generation: string): Promise<PreparedGeneration> => {
    if (closed) throw stoppedError();
    const opened = await open(generation);
    let warmed: Promise<void> | undefined;
    let discarded: Promise<void> | undefined;
    const giveUp = async (): Promise<void> => {
      waiting.delete(discard);
      await stop(opened.value);
      // The warm-up reads the files as well, so memory is released only after it has ended.
      await warmed?.catch(() => {});
      release(opened);
    };
    const discard = (): Promise<void> => {
      discarded ??= giveUp();
      return discarded;
    };
    waiting.add(discard);
    try {
      if (closed) throw stoppedError();
      warmed = warm(opened.value);
      await warmed;
      if (closed) throw stoppedError();
    } catch (error) {
      await discard();
      throw closed ? stoppedError() : asCatalogError(error);
    }
    const commit = async (): Promise<void> => {
      if (closed) {
        await discard();
        throw stoppedError();
      }
      waiting.delete(discard);
      goLive(opened);
    };
    return { isLive: false, commit, discard };
  };
  return {
    prepare: (generation) => {
      const prepared = prepare(generation);
      const done = (): boolean => preparing.delete(prepared);
      preparing.add(prepared);
      prepared.then(done, done);
      return prepared;
    },
    close: async () => {
      closed = true;
      await Promise.all([...waiting].map((discard) => discard()));
      await Promise.allSettled(preparing);
    },
  };
}
