import { createCandidates, type PreparedGeneration } from './candidates.js';
import { whenMade } from './generations.js';
import { noteServed } from './history.js';
import { type Lease, type Shared, share } from './leases.js';
import { type Opened, openGeneration, openGenerationBeside } from './open-generation.js';
import { createPublications, findPublished, type PublicationEvents } from './published.js';

/** The live generation of a datasets directory, as `T` opens it. */
export interface Catalog<T> {
  /** What is live, to be looked at at once; undefined until something could be opened. */
  current(): T | undefined;
  /** What is live, for as long as the caller reads it: it stays open until the lease is released. */
  acquire(): Lease<T> | undefined;
  /** The live generation's name. */
  generation(): string | undefined;
  /** When it went live. */
  since(): Date | undefined;
  /** Why nothing is live, for the operator, without paths. */
  absence(): string;
  /**
   * Opens a generation beside the live one and makes it ready, so that it can take its place at once. Throws
   * CatalogError. Checksums are the caller's to verify.
   */
  prepare(generation: string): Promise<PreparedGeneration>;
  /** Closes what is live, gives up what is being prepared, and takes nothing any more. */
  close(): Promise<void>;
}

/** What happens in a catalog, for the log. Details name files of the dataset, nothing of a request. */
export interface CatalogEvents<T> extends PublicationEvents {
  /** It is live. */
  opened(opened: T): void;
  /** No request reads it any more, and its memory is given back. */
  closed(generation: string): void;
}

export interface CatalogOptions<T> {
  readonly datasetsDir: string;
  /**
   * A generation to begin with, where it can be opened: what other processes answer from, whatever `CURRENT` names by
   * now.
   */
  readonly first?: string | undefined;
  /**
   * It takes only `first` and what is prepared: others decide for it, since one of several processes must not take what the
   * others do not.
   */
  readonly follows?: boolean;
  /** Opens a generation's directory; throws FormatError where it cannot be trusted. */
  open(directory: string): T;
  /** The same while another generation answers requests, which must not wait for it. */
  openBeside(directory: string): Promise<T>;
  /** Makes an opened generation as fast as one that has been live for long. */
  warm(opened: T): Promise<void>;
  /** Ends what works for it. */
  stop(opened: T): Promise<void>;
  /** Gives its memory back, when it is stopped and nobody reads it. */
  release(opened: T): void;
  readonly events: CatalogEvents<T>;
  readonly now: () => Date;
  /** How often to look while nothing is live. */
  readonly pollMs?: number;
}

const POLL_MS = 500;

const UNPUBLISHED = 'No dataset published yet.';
const UNREADABLE = 'The published dataset cannot be opened.';

/**
 * Opens what `CURRENT` names, unless it is told what to begin with. Where that names nothing, or something that cannot be
 * opened, it looks again and again, and takes the first generation that can be. A damaged one is left alone until it is
 * made anew, or `CURRENT` names another.
 */
export function openCatalog<T>(options: CatalogOptions<T>): Catalog<T> {
  const { datasetsDir, events } = options;
  let live: { readonly opened: Opened<T>; readonly shared: Shared<T>; readonly since: Date } | undefined;
  let failing = false;
  const retiring = new Set<Promise<void>>();
  const publications = createPublications(datasetsDir, events);

  const release = ({ generation, value, hold }: Opened<T>): void => {
    options.release(value);
    hold.release();
    events.closed(generation);
  };
  const goLive = (opened: Opened<T>): void => {
    const before = live;
    const shared = share(opened.value, { stop: options.stop, release: () => release(opened) });
    live = { opened, shared, since: options.now() };
    clearInterval(timer);
    noteServed(options.datasetsDir, opened.generation);
    events.opened(opened.value);
    if (!before) return;
    const retired = before.shared.retire().finally(() => retiring.delete(retired));
    retiring.add(retired);
  };
  const candidates = createCandidates({
    open: (generation) =>
      openGenerationBeside({ datasetsDir, generation, open: options.openBeside }).catch((error: unknown) => {
        failing = true;
        throw error;
      }),
    warm: options.warm,
    stop: options.stop,
    release,
    goLive,
  });
  /** Not where its files, which were damaged, have been written again: what is open are the old ones. */
  const isLive = (generation: string): boolean => {
    if (generation !== live?.opened.generation) return false;
    const made = whenMade(datasetsDir, generation);
    return made === undefined || made === live.opened.made;
  };
  const take = (generation: string): void => {
    try {
      goLive(openGeneration({ datasetsDir, generation, open: options.open }));
    } catch (error) {
      failing = true;
      publications.failed(generation, error);
    }
  };
  const look = (): void => {
    const generation = publications.next();
    if (generation !== undefined) take(generation);
  };
  const timer = options.follows ? undefined : setInterval(look, options.pollMs ?? POLL_MS).unref();
  if (options.first !== undefined) take(options.first);
  if (!live && !options.follows) look();

  return {
    current: () => live?.opened.value,
    acquire: () => live?.shared.acquire(),
    generation: () => live?.opened.generation,
    since: () => live?.since,
    absence: () => {
      const { generation, problem } = findPublished(datasetsDir);
      return problem !== undefined || (generation !== undefined && failing) ? UNREADABLE : UNPUBLISHED;
    },
    prepare: async (generation) => (isLive(generation) ? unchanged(generation) : await candidates.prepare(generation)),
    close: async () => {
      clearInterval(timer);
      const closing = live;
      live = undefined;
      await Promise.all([candidates.close(), closing?.shared.close(), ...retiring]);
    },
  };
}

/** What is live already is ready, and stays. */
function unchanged(generation: string): PreparedGeneration {
  const nothing = (): Promise<void> => Promise.resolve();
  return { generation, commit: nothing, discard: nothing };
}
