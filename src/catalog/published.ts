import { messageOf } from '../core/message-of.js';
import type { FormatErrorCode } from '../format/format-error.js';
import { CatalogError } from './directory/catalog-error.js';
import { absentCurrent, listGenerations, readPublished, whenMade, whenWritten } from './directory/generations.js';

/** What `CURRENT` says. */
export interface Published {
  /** The generation it names; undefined if there is no such file or it names no generation. */
  readonly generation?: string | undefined;
  /** What is wrong with `CURRENT`, or with the generation that it names. */
  readonly problem?: string;
}

/** Reads `CURRENT` and checks that its generation exists; reports problems instead of throwing. */
export function findPublished(datasetsDir: string): Published {
  try {
    const generation = readPublished(datasetsDir);
    if (generation === undefined) return {};
    const isThere =
      listGenerations(datasetsDir).includes(generation) && whenMade(datasetsDir, generation) !== undefined;
    return isThere ? { generation } : { generation, problem: reasonOf(absentCurrent(generation)) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/**
 * Whether the live generation is the one that `CURRENT` names; also if there is neither. If there is something wrong with
 * `CURRENT` or what it names, it is not, whatever is live: the next start will not find it.
 */
export function isPublished(datasetsDir: string, live: string | undefined): boolean {
  const { generation, problem } = findPublished(datasetsDir);
  return problem === undefined && generation === live;
}

/** Problems with the published generation, for the log. */
export interface PublicationEvents {
  /** Nothing is published; reported once. */
  nothingPublished(): void;
  /** Reported once for each generation and reason; without a generation if `CURRENT` names none. */
  failed(generation: string | undefined, reason: string): void;
}

/** What is published, for a caller that polls it and takes it live. */
export interface Publications {
  /** The generation that `CURRENT` names, unless it is refused. Reports what is wrong with `CURRENT`. */
  next(): string | undefined;
  /**
   * Whether trying this generation again is pointless: its files are damaged or of another format, and have not been
   * rewritten since, or are being rewritten: they differ from one call to the next, as when a copy is under way. The refusal
   * is forgotten as soon as another generation is asked about.
   */
  isRefused(generation: string): boolean;
  /** Reports why an attempt failed. Only damaged content leads to a refusal, since other causes may be temporary. */
  failed(generation: string, error: unknown): void;
}

export function createPublications(datasetsDir: string, events: PublicationEvents): Publications {
  const tell = createToldOnce(events.failed);
  let toldOfNothing = false;
  /** The files that were asked about last, as they were before the attempt to open them. */
  let asked: FilesOf | undefined;
  let refused: FilesOf | undefined;
  const isRefused = (generation: string): boolean => {
    const before = asked;
    asked = { generation, written: whenWritten(datasetsDir, generation) };
    if (refused && mayBeTried(asked, { before, refused })) refused = undefined;
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
  /** See {@link whenWritten}. */
  readonly written: string | undefined;
}

/**
 * Whether files that were refused may be tried again, given what was found when they were asked about `before`. If A is
 * refused, and a copy of other files goes over it, which takes from one call to another:
 *
 *     found     A      A      B      C      C
 *     tried     no     no     no     no     yes
 */
function mayBeTried(
  found: FilesOf,
  { before, refused }: { readonly before: FilesOf | undefined; readonly refused: FilesOf },
): boolean {
  if (found.generation !== refused.generation) return true;
  const areRewritten = !areSame(found, refused);
  const areAtRest = areSame(found, before);
  return areRewritten && areAtRest;
}

function areSame(one: FilesOf, other: FilesOf | undefined): boolean {
  return one.generation === other?.generation && one.written === other.written;
}

/** Why a generation cannot be opened, for the log. */
function reasonOf(error: unknown): string {
  if (error instanceof CatalogError) return `${error.damage?.code ?? error.code}: ${error.message}`;
  return messageOf(error);
}

const MAY_PASS: ReadonlySet<FormatErrorCode> = new Set(['cannot-open', 'file-missing']);

/**
 * Whether opening the same files again is bound to fail: they are damaged or of another format. A file that cannot be
 * opened at all does not count: the process may only be short of file descriptors or memory for a moment, or the file may
 * still be on its way.
 */
function isLasting(error: unknown): boolean {
  return error instanceof CatalogError && error.damage !== undefined && !MAY_PASS.has(error.damage.code);
}

/** Reports each reason once per generation. */
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
