import { CatalogError } from './catalog-error.js';
import { absentCurrent, listGenerations, readPublished, whenMade } from './generations.js';

/** What `CURRENT` names. */
export interface Published {
  /** Undefined where there is no such file, or it names nothing. */
  readonly generation?: string | undefined;
  /** What is wrong with it. */
  readonly problem?: string;
}

/** The name in `CURRENT`, nothing where there is no such file, and what is wrong with it. */
export function findPublished(datasetsDir: string): Published {
  try {
    const generation = readPublished(datasetsDir);
    if (generation === undefined) return {};
    const isThere =
      listGenerations(datasetsDir).includes(generation) && whenMade(datasetsDir, generation) !== undefined;
    return isThere ? { generation } : { generation, problem: reasonOf(absentCurrent(generation)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** What may be wrong with what is published, for the log. */
export interface PublicationEvents {
  /** Once. */
  nothingPublished(): void;
  /** Once for each generation and reason; without a generation where `CURRENT` itself names none. */
  failed(generation: string | undefined, reason: string): void;
}

/** What is published, for somebody who takes it live and looks again and again. */
export interface Publications {
  /** The generation that `CURRENT` names, if it is worth an attempt. Tells what is wrong with `CURRENT`. */
  next(): string | undefined;
  /**
   * Whether it is of no use to try this generation again: its files are damaged, or of another format, and have not
   * been made anew since. It is forgotten as soon as another is asked about.
   */
  isRefused(generation: string): boolean;
  /** Tells why an attempt failed. Whatever but the files' content is to blame may be over soon: then it is no refusal. */
  failed(generation: string, error: unknown): void;
}

export function createPublications(datasetsDir: string, events: PublicationEvents): Publications {
  const tell = createToldOnce(events.failed);
  let toldOfNothing = false;
  /** Asked about last, before whatever became of it. */
  let asked: FilesOf | undefined;
  let refused: FilesOf | undefined;
  const isRefused = (generation: string): boolean => {
    asked = filesOf(datasetsDir, generation);
    if (asked.generation !== refused?.generation || asked.made !== refused.made) refused = undefined;
    return refused !== undefined;
  };
  return {
    next: () => {
      const { generation, problem } = findPublished(datasetsDir);
      if (problem !== undefined) tell(generation, problem);
      else if (generation !== undefined) return isRefused(generation) ? undefined : generation;
      else if (!toldOfNothing) {
        toldOfNothing = true;
        events.nothingPublished();
      }
      return undefined;
    },
    isRefused,
    failed: (generation, error) => {
      tell(generation, reasonOf(error));
      if (isLasting(error) && asked?.generation === generation) refused = asked;
    },
  };
}

interface FilesOf {
  readonly generation: string;
  /** Undefined, too, where it cannot be looked at. */
  readonly made: string | undefined;
}

function filesOf(datasetsDir: string, generation: string): FilesOf {
  try {
    return { generation, made: whenMade(datasetsDir, generation) };
  } catch {
    // An attempt to open it tells why.
    return { generation, made: undefined };
  }
}

/** Why a generation cannot be opened, for the log. */
function reasonOf(error: unknown): string {
  if (error instanceof CatalogError) return `${error.damage?.code ?? error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Whether it is of no use to open the same files again: they are not as they were written, or of another format. One
 * that cannot be opened at all may only lack a file descriptor, or memory, for a moment.
 */
function isLasting(error: unknown): boolean {
  return error instanceof CatalogError && error.damage !== undefined && error.damage.code !== 'cannot-open';
}

/** Tells each generation's reasons once. */
function createToldOnce(tell: PublicationEvents['failed']): PublicationEvents['failed'] {
  let of: string | undefined;
  const reasons = new Set<string>();
  return (generation, reason) => {
    if (generation !== of) reasons.clear();
    of = generation;
    if (reasons.has(reason)) return;
    reasons.add(reason);
    tell(generation, reason);
  };
}
