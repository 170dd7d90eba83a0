import { asCatalogError, stoppedError } from './catalog-error.js';
import type { Opened } from './open-generation.js';

/** A generation that is ready to go live, in this process or in several. One of the two is to be called, once. */
export interface PreparedGeneration {
  readonly generation: string;
  /**
   * Every request that begins afterwards is answered from it; those that began before finish on the one before. Rejects with
   * CatalogError where the service has stopped meanwhile.
   */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** Generations that are open beside the live one, to take its place. */
export interface Candidates {
  /** Opens a generation and makes it ready. Rejects with CatalogError. */
  prepare(generation: string): Promise<PreparedGeneration>;
  /** Gives up all that are not live, ready or not, and takes no more. Resolves when they are closed. */
  close(): Promise<void>;
}

export interface CandidatesOptions<T> {
  open(generation: string): Promise<Opened<T>>;
  /** Makes it as fast as one that has been live for long; ends soon when it is stopped. */
  warm(value: T): Promise<void>;
  /** Ends what works for it. */
  stop(value: T): Promise<void>;
  /** Gives its memory back. */
  release(opened: Opened<T>): void;
  goLive(opened: Opened<T>): void;
}

export function createCandidates<T>({ open, warm, stop, release, goLive }: CandidatesOptions<T>): Candidates {
  let closed = false;
  const preparing = new Set<Promise<PreparedGeneration>>();
  /** What gives each of them up. */
  const waiting = new Set<() => Promise<void>>();

  const prepare = async (generation: string): Promise<PreparedGeneration> => {
    if (closed) throw stoppedError();
    const opened = await open(generation);
    let warmed: Promise<void> | undefined;
    let discarded: Promise<void> | undefined;
    const giveUp = async (): Promise<void> => {
      waiting.delete(discard);
      await stop(opened.value);
      // It reads the files until it has ended, too.
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
    return { generation, commit, discard };
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
