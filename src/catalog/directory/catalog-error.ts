import { basename } from 'node:path';
import { LoggableError } from '../../core/loggable-error.js';
import { FORMAT_ERROR_CODES, FormatError } from '../../format/format-error.js';

export const DAMAGE_CODES = FORMAT_ERROR_CODES;

/** What is wrong with one of a generation's files. */
export interface Damage {
  readonly code: (typeof DAMAGE_CODES)[number];
  /** The file's name within the generation. */
  readonly file: string;
  readonly section: string | null;
  readonly message: string;
}

export type CatalogErrorCode =
  /** `CURRENT` names no generation. */
  | 'nothing-published'
  /** No generation has that name. */
  | 'unknown-generation'
  /** Files are missing, cut off or altered; the message names file and section. */
  | 'damaged'
  /** The system cannot open or read `CURRENT`, a directory or a file, which may be temporary; the message names it. */
  | 'unreadable'
  /** The files were written by another version of this program: compile them again. */
  | 'unsupported-format'
  /** There is no earlier generation to roll back to. */
  | 'no-previous'
  /** Another process is publishing, rolling back or pruning here. */
  | 'busy'
  /** The datasets directory cannot be written to; the message says why. */
  | 'not-writable'
  /** Not every process of this service took the generation live; the message says what is live where. */
  | 'not-everywhere'
  /** The service is stopping. */
  | 'stopped';

/** Why an operation was refused. The message may name the datasets directory: it is for maintainers, never for clients. */
export class CatalogError extends LoggableError {
  override readonly name = 'CatalogError';

  constructor(
    readonly code: CatalogErrorCode,
    message: string,
    /** Set if a generation's files are the cause. */
    readonly damage?: Damage,
  ) {
    super(message);
  }
}

/** Describes a file's error without the path that leads to the generation. */
export function describeDamage({ code, file, section, detail }: FormatError): Damage {
  const name = basename(file);
  const where = section === undefined ? name : `${name}, section ${section}`;
  return { code, file: name, section: section ?? null, message: `${where}: ${detail}` };
}

/** The error for a generation with damaged files: names the first and counts the others. The list must not be empty. */
export function damageError([first, ...others]: readonly Damage[]): CatalogError {
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return new CatalogError(codeOf(first), `${first?.message ?? 'the generation is damaged'}${more}`, first);
}

function codeOf(damage: Damage | undefined): CatalogErrorCode {
  if (damage?.code === 'unsupported-version') return 'unsupported-format';
  return damage?.code === 'cannot-open' ? 'unreadable' : 'damaged';
}

/** Turns a {@link FormatError} into the error that maintainers see; passes any other error through. */
export function asCatalogError(error: unknown): unknown {
  return error instanceof FormatError ? damageError([describeDamage(error)]) : error;
}

/** The error for every operation that is refused or given up because the service is stopping. */
export function stoppedError(): CatalogError {
  return new CatalogError('stopped', 'the service is stopping');
}
