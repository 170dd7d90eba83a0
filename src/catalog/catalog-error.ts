import { basename } from 'node:path';
import { LoggableError } from '../core/loggable-error.js';
import { FormatError, type FormatErrorCode } from '../format/format-error.js';

/** What is wrong with one of a generation's files. */
export interface Damage {
  readonly code: FormatErrorCode;
  /** The file's name within the generation. */
  readonly file: string;
  readonly section: string | null;
  readonly message: string;
}

export type CatalogErrorCode =
  /** `CURRENT` names no generation. */
  | 'nothing-published'
  /** There is no generation of that name. */
  | 'unknown-generation'
  /** Files are missing, cut off or altered; the message names file and section. */
  | 'damaged'
  /** Written by another version of this program: compile it again. */
  | 'unsupported-format'
  /** Nothing earlier is left to go back to. */
  | 'no-previous'
  /** Another process is publishing, rolling back or pruning here. */
  | 'busy'
  /** The datasets directory cannot be written to; the message says why. */
  | 'not-writable'
  /** Not all processes of this service took the generation; the message says what is live where. */
  | 'not-everywhere'
  /** The service is stopping. */
  | 'stopped';

/** Why nothing was done. The message is for maintainers: it may name the datasets directory, which no client is told. */
export class CatalogError extends LoggableError {
  override readonly name = 'CatalogError';

  constructor(
    readonly code: CatalogErrorCode,
    message: string,
    /** Where the files of a generation are to blame. */
    readonly damage?: Damage,
  ) {
    super(message);
  }
}

/** A file's error without the path above its generation. */
export function describeDamage({ code, file, section, detail }: FormatError): Damage {
  const name = basename(file);
  const where = section === undefined ? name : `${name}, section ${section}`;
  return { code, file: name, section: section ?? null, message: `${where}: ${detail}` };
}

/** Says of damaged files what a maintainer can do. The list is not empty. */
export function damageError([first, ...others]: readonly Damage[]): CatalogError {
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const code = first?.code === 'unsupported-version' ? 'unsupported-format' : 'damaged';
  return new CatalogError(code, `${first?.message ?? 'the generation is damaged'}${more}`, first);
}

/** What maintainers are told of a file's error; any other error as it is. */
export function asCatalogError(error: unknown): unknown {
  return error instanceof FormatError ? damageError([describeDamage(error)]) : error;
}

/** Why nothing is taken live, or looked over, any more. */
export function stoppedError(): CatalogError {
  return new CatalogError('stopped', 'the service is stopping');
}
