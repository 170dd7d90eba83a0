import { FormatError } from '../format/format-error.js';
import { damageError } from './check-threads.js';
import { CatalogError } from './dataset-admin.js';
import { describeDamage } from './generation-checks.js';
import { type GenerationHold, holdGeneration } from './generation-hold.js';
import { generationPath } from './generations.js';
import { noteServed } from './history.js';
import { type Lease, type Shared, share } from './leases.js';
import { createToldOnce, findPublished, isLasting, reasonOf } from './published.js';

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
   * {@link CatalogError}. Checksums are the caller's to verify.
   */
  prepare(generation: string): Promise<PreparedGeneration>;
  /** Closes what is live and stops looking. */
  close(): Promise<void>;
}

/** A generation that is ready to go live, in this process or in several. One of the two is to be called, once. */
export interface PreparedGeneration {
  readonly generation: string;
  /** Every request that begins afterwards is answered from it; those that began before finish on the one before. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** What happens in a catalog, for the log. Details name files of the dataset, nothing of a request. */
export interface CatalogEvents<T> {
  /** It is live. */
  opened(opened: T): void;
  nothingPublished(): void;
  /** Once for each generation and reason; without one where `CURRENT` itself names none. */
  failed(generation: string | undefined, reason: string): void;
  /** No request reads it any more, and its memory is given back. */
  closed(generation: string): void;
}

export interface CatalogOptions<T> {
  readonly datasetsDir: string;
  /** A generation to begin with, where it can be opened: what other processes answer from, whatever `CURRENT` names by now. */
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

/** An open generation; other processes know that it is open. */
interface Opened<T> {
  readonly generation: string;
  readonly value: T;
  readonly hold: GenerationHold;
}

const POLL_MS = 500;

const UNPUBLISHED = 'No dataset published yet.';
const UNREADABLE = 'The published dataset cannot be opened.';

/**
 * Opens what `CURRENT` names, unless it is told what to begin with. Where that names nothing, or something that cannot be
 * opened, it looks again and again, and takes the first generation that can be. A damaged one is left alone until `CURRENT`
 * names another.
 */
export function openCatalog<T>(options: CatalogOptions<T>): Catalog<T> {
  const { datasetsDir, events } = options;
  let live: { readonly opened: Opened<T>; readonly shared: Shared<T>; readonly since: Date } | undefined;
  let absence = UNPUBLISHED;
  /** What the last look found, unless it is to be tried again: only a change is acted upon. */
  let seen: string | undefined;
  const retiring = new Set<Promise<void>>();

  const tell = createToldOnce(events.failed);
  const fail = (generation: string | undefined, reason: string): void => {
    absence = UNREADABLE;
    tell(generation, reason);
  };
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
  const take = (generation: string): void => {
    try {
      goLive(openGeneration(options, generation));
    } catch (error) {
      fail(generation, reasonOf(error));
      if (!isLasting(error)) seen = undefined;
    }
  };
  const look = (): void => {
    const { generation, problem } = findPublished(datasetsDir);
    const found = problem ?? generation ?? '';
    if (found === seen) return;
    seen = found;
    if (problem !== undefined) fail(generation, problem);
    else if (generation === undefined) {
      absence = UNPUBLISHED;
      events.nothingPublished();
    } else take(generation);
  };
  const timer = options.follows ? undefined : setInterval(look, options.pollMs ?? POLL_MS).unref();
  if (options.first !== undefined) take(options.first);
  if (!live && !options.follows) look();

  return {
    current: () => live?.opened.value,
    acquire: () => live?.shared.acquire(),
    generation: () => live?.opened.generation,
    since: () => live?.since,
    absence: () => (options.follows && findPublished(datasetsDir).problem !== undefined ? UNREADABLE : absence),
    prepare: async (generation) => {
      const nothing = (): Promise<void> => Promise.resolve();
      if (live?.opened.generation === generation) return { generation, commit: nothing, discard: nothing };
      const opened = await openGenerationBeside(options, generation).catch((error: unknown) => {
        absence = UNREADABLE;
        throw error;
      });
      const discard = async (): Promise<void> => {
        await options.stop(opened.value);
        release(opened);
      };
      try {
        await options.warm(opened.value);
      } catch (error) {
        await discard();
        throw asCatalogError(error);
      }
      return { generation, commit: () => Promise.resolve(goLive(opened)), discard };
    },
    close: async () => {
      clearInterval(timer);
      const closing = live;
      live = undefined;
      await Promise.all([closing?.shared.close(), ...retiring]);
    },
  };
}

/** Throws {@link CatalogError}. */
function openGeneration<T>({ datasetsDir, open }: CatalogOptions<T>, generation: string): Opened<T> {
  const directory = generationPath(datasetsDir, generation);
  const hold = requireHold(directory, generation);
  try {
    return { generation, value: open(directory), hold };
  } catch (error) {
    throw letGo(hold, error);
  }
}

/** Rejects with {@link CatalogError}. */
async function openGenerationBeside<T>(
  { datasetsDir, openBeside }: CatalogOptions<T>,
  generation: string,
): Promise<Opened<T>> {
  const directory = generationPath(datasetsDir, generation);
  const hold = requireHold(directory, generation);
  try {
    return { generation, value: await openBeside(directory), hold };
  } catch (error) {
    throw letGo(hold, error);
  }
}

function requireHold(directory: string, generation: string): GenerationHold {
  const hold = holdGeneration(directory);
  if (hold) return hold;
  throw new CatalogError('unknown-generation', `there is no generation ${generation}, or it is being removed`);
}

/** What to throw of a generation that cannot be opened. */
function letGo(hold: GenerationHold, error: unknown): unknown {
  hold.release();
  return asCatalogError(error);
}

const asCatalogError = (error: unknown): unknown =>
  error instanceof FormatError ? damageError([describeDamage(error)]) : error;
