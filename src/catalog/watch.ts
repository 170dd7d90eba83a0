import { createPublications, type PublicationEvents } from './published.js';

export interface WatchOptions {
  readonly datasetsDir: string;
  /** The generation that the service answers from. Rejects when the service stops. */
  readonly live: () => Promise<string | undefined>;
  /**
   * Takes the published generation live; rejects if that fails. `again` says that the previous attempt at the same
   * generation failed, too.
   */
  readonly reload: (again: boolean) => Promise<void>;
  readonly failed: PublicationEvents['failed'];
  readonly pollMs?: number;
}

const POLL_MS = 1000;
/** Polls to skip at most between two attempts: each attempt reads the whole generation. */
const LONGEST_REST = 60;

/** A generation that failed to go live, and the backoff before the next attempt. */
interface Failing {
  readonly generation: string;
  /** How many polls are skipped before the next attempt, and how many of these are still to come. */
  readonly rest: number;
  left: number;
}

/**
 * Triggers a reload whenever the published generation is not the live one. Temporary failures are retried with exponential
 * backoff; a damaged generation is not tried again until it is rewritten or another is published. While nothing is live,
 * the watch does nothing: the service takes the first generation by itself. `CURRENT` is polled, since notifications of
 * file systems get lost on network mounts. Returns a function that ends the watch.
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
      // After a failed attempt the generation may be live in some processes and not in others.
      if (stopped || found === undefined || (found === generation && !failing)) return;
      // A rollback may have withdrawn it in the meantime.
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
