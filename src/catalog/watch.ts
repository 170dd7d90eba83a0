import { createPublications, type PublicationEvents } from './published.js';

export interface WatchOptions {
  readonly datasetsDir: string;
  /** What the service answers from. Rejects where the service stops. */
  readonly live: () => Promise<string | undefined>;
  /**
   * Takes what is published live; rejects where it does not. `again` says that the attempt before failed, too, at the same
   * generation.
   */
  readonly reload: (again: boolean) => Promise<void>;
  readonly failed: PublicationEvents['failed'];
  readonly pollMs?: number;
}

const POLL_MS = 1000;
/** Each attempt reads the whole generation. */
const LONGEST_REST = 60;

/** Attempts at a generation that failed for what may be over soon. */
interface Failing {
  readonly generation: string;
  /** How many looks the next one is left for, and how many of these are to come. */
  readonly rest: number;
  left: number;
}

/**
 * Calls for a reload whenever something else is published than is live. What fails for a moment is tried again, after
 * twice the time each; a damaged generation is left alone until it is made anew or another is published, and so is all
 * where nothing is live: the service takes the first by itself. It reads the few bytes of `CURRENT` now and then, since
 * notifications of file systems get lost on network mounts. Gives what ends it.
 */
export function watchPublished({ datasetsDir, live, reload, failed, pollMs = POLL_MS }: WatchOptions): () => void {
  const publications = createPublications(datasetsDir, { nothingPublished: () => {}, failed });
  let failing: Failing | undefined;
  let looking = false;
  let stopped = false;

  const take = async (generation: string): Promise<void> => {
    if (failing?.generation !== generation) failing = undefined;
    if (failing && failing.left-- > 0) return;
    try {
      const found = await live();
      // One that failed may be live in some processes and not in others.
      if (stopped || found === undefined || (found === generation && !failing)) return;
      // It may have been withdrawn in somebody else's turn.
      if (publications.next() !== generation) return;
      await reload(failing !== undefined);
      failing = undefined;
    } catch (error) {
      if (stopped) return;
      publications.failed(generation, error);
      const rest = failing ? Math.min(LONGEST_REST, 2 * failing.rest + 1) : 0;
      failing = { generation, rest, left: rest };
    }
  };
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    const generation = publications.next();
    if (generation !== undefined) await take(generation);
    looking = false;
  };
  const timer = setInterval(() => void look(), pollMs).unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
