import { createCandidates, type PreparedGeneration } from './candidates.js';
import { whenMade } from './directory/generations.js';
import { noteServed } from './directory/history.js';
import { type Lease, type Shared, share } from './leases.js';
import { type Opened, openGeneration, openGenerationBeside } from './open-generation.js';
import { createPublications, findPublished, type PublicationEvents } from './published.js';

/** Holds the live generation of a datasets directory, opened as a `T`. */
export interface Catalog<T> {
  /** The live generation, for immediate synchronous use only; undefined until one could be opened. */
  current(): T | undefined;
  /** A lease on the live generation, which stays open until the lease is released. */
  acquire(): Lease<T> | undefined;
  /** The live generation's name. */
  generation(): string | undefined;
  /** When the live generation went live. */
  since(): Date | undefined;
  /** Explains to the operator why nothing is live, without paths. */
  absence(): string;
  /**
   * Opens a generation beside the live one and warms it up, so that it can replace the live one at once. Throws
   * CatalogError. Verifying checksums is up to the caller.
   */
  prepare(generation: string): Promise<PreparedGeneration>;
  /** Closes the live generation, discards those being prepared, and takes no further generation live. */
  close(): Promise<void>;
}

/** Events of a catalog, for the log. Their details may name the dataset's files, and contain nothing from requests. */
export interface CatalogEvents<T> extends PublicationEvents {
  /** A generation has gone live. */
  opened(opened: T): void;
  /** A former live generation has no readers left, and its memory has been freed. */
  closed(generation: string): void;
}

export interface CatalogOptions<T> {
  readonly datasetsDir: string;
  /**
   * The generation to begin with, if it can be opened: the one that the service's other processes answer from, even if
   * `CURRENT` names a newer one by now.
   */
  readonly first?: string | undefined;
  /**
   * Whether the catalog takes only `first` and prepared generations live, and does not look at `CURRENT` by itself: one of
   * several processes must not take a generation that the others do not.
   */
  readonly follows?: boolean;
  /** Opens a generation's directory; throws FormatError if its files cannot be trusted. */
  open(directory: string): T;
  /** Like `open`, without blocking the requests that another generation is answering. */
  openBeside(directory: string): Promise<T>;
  /** Warms an opened generation up until it is as fast as one that has long been live. */
  warm(opened: T): Promise<void>;
  /** Ends the workers that serve a generation. */
  stop(opened: T): Promise<void>;
  /** Frees a generation's memory; called when it is stopped and has no readers. */
  release(opened: T): void;
  readonly events: CatalogEvents<T>;
  readonly now: () => Date;
  /** Interval at which `CURRENT` is read while nothing is live. */
  readonly pollMs?: number;
}

const POLL_MS = 500;

const UNPUBLISHED = 'No dataset published yet.';
const UNREADABLE = 'The published dataset cannot be opened.';

/**
 * Opens `first` if given, else the generation that `CURRENT` names. If there is none, or it cannot be opened, the catalog
 * polls `CURRENT` and takes the first generation that opens. A damaged generation is not tried again until its files are
 * rewritten or `CURRENT` names another.
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
  /** False if the live generation's damaged files have been rewritten since: the ones that are open are the old files. */
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
    prepare: async (generation) => (isLive(generation) ? UNCHANGED : await candidates.prepare(generation)),
    close: async () => {
      clearInterval(timer);
      const closing = live;
      live = undefined;
      await Promise.all([candidates.close(), closing?.shared.close(), ...retiring]);
    },
  };
}

const nothing = (): Promise<void> => Promise.resolve();

/** The live generation itself as a prepared one. */
const UNCHANGED: PreparedGeneration = { isLive: true, commit: nothing, discard: nothing };
