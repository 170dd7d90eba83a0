import { FormatError } from '../format/format-error.js';
import { generationPath, readCurrent } from './generations.js';

/** The live generation of a datasets directory, as `T` opens it. */
export interface Catalog<T> {
  /** What is live; undefined until something could be opened. */
  current(): T | undefined;
  /** Why nothing is live, for the operator, without paths. */
  absence(): string;
  /** Closes what is live and stops looking. */
  close(): Promise<void>;
}

/** What happens in a catalog, for the log. Details name files of the dataset, nothing of a request. */
export interface CatalogEvents<T> {
  opened(opened: T): void;
  nothingPublished(): void;
  /** Once for each generation; without one where `CURRENT` itself cannot be read. */
  failed(generation: string | undefined, reason: string): void;
}

export interface CatalogOptions<T> {
  readonly datasetsDir: string;
  /** Opens a generation's directory; throws where it cannot be trusted. */
  open(directory: string): T;
  close(opened: T): Promise<void>;
  readonly events: CatalogEvents<T>;
  /** How often to look while nothing is live. */
  readonly pollMs?: number;
}

const POLL_MS = 500;

const UNPUBLISHED = 'No dataset published yet.';
const UNREADABLE = 'The published dataset cannot be opened.';

/**
 * Opens what `CURRENT` names. Where that names nothing, or something broken, it looks again and again, and takes the
 * first generation that can be opened. A broken one is left alone until `CURRENT` names another.
 */
export function openCatalog<T>(options: CatalogOptions<T>): Catalog<T> {
  const { datasetsDir, events } = options;
  let live: T | undefined;
  let absence = UNPUBLISHED;
  /** What the last look found: only a change is acted upon and told. */
  let seen: string | undefined;

  const fail = (generation: string | undefined, reason: string): void => {
    absence = UNREADABLE;
    events.failed(generation, reason);
  };
  const take = (generation: string): void => {
    try {
      live = options.open(generationPath(datasetsDir, generation));
    } catch (error) {
      fail(generation, reasonOf(error));
      return;
    }
    clearInterval(timer);
    events.opened(live);
  };
  const look = (): void => {
    const { generation, problem } = findPublished(datasetsDir);
    const found = problem ?? generation ?? '';
    if (found === seen) return;
    seen = found;
    if (problem !== undefined) fail(undefined, problem);
    else if (generation !== undefined) take(generation);
    else {
      absence = UNPUBLISHED;
      events.nothingPublished();
    }
  };
  const timer = setInterval(look, options.pollMs ?? POLL_MS).unref();
  look();

  return {
    current: () => live,
    absence: () => absence,
    close: async () => {
      clearInterval(timer);
      const closing = live;
      live = undefined;
      if (closing !== undefined) await options.close(closing);
    },
  };
}

/** The name in `CURRENT`, nothing where there is no such file, or why it cannot be read. */
function findPublished(datasetsDir: string): { generation?: string | undefined; problem?: string } {
  try {
    return { generation: readCurrent(datasetsDir) };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof FormatError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
