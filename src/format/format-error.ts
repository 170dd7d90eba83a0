import { LoggableError } from '../core/loggable-error.js';

/** What can be wrong with a compiled file, roughly in the order in which a reader detects it. */
export type FormatErrorCode =
  | 'cannot-open'
  | 'bad-magic'
  | 'unsupported-version'
  | 'wrong-length'
  | 'bad-header'
  | 'wrong-kind'
  | 'section-out-of-bounds'
  | 'section-misaligned'
  | 'section-missing'
  | 'section-wrong-size'
  | 'bad-index'
  | 'checksum-mismatch';

/** A compiled file that cannot be trusted. The message names the file and, if known, the section. */
export class FormatError extends LoggableError {
  override readonly name = 'FormatError';

  constructor(
    readonly code: FormatErrorCode,
    readonly file: string,
    readonly detail: string,
    readonly section?: string,
  ) {
    super(`${file}${section === undefined ? '' : `, section ${section}`}: ${detail}`);
  }
}

/** The error for a file or directory that the system refuses to open. */
export function cannotOpen(path: string, error: unknown): FormatError {
  return new FormatError('cannot-open', path, error instanceof Error ? error.message : String(error));
}
