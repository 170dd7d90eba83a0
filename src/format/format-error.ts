import { LoggableError } from '../core/loggable-error.js';
import { messageOf } from '../core/message-of.js';
import { systemCode } from '../core/system-code.js';

/** What can be wrong with a compiled file, or with a generation as a whole, roughly in the order in which a reader detects it. */
export const FORMAT_ERROR_CODES = [
  'file-missing',
  'cannot-open',
  'bad-magic',
  'unsupported-version',
  'wrong-length',
  'bad-header',
  'wrong-kind',
  'section-out-of-bounds',
  'section-misaligned',
  'section-missing',
  'section-wrong-size',
  'bad-index',
  'checksum-mismatch',
  'wrong-files',
] as const;
export type FormatErrorCode = (typeof FORMAT_ERROR_CODES)[number];

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

/** The error for a file or directory that is not there, or that the system cannot open or read, which may be temporary. */
export function cannotOpen(path: string, error: unknown): FormatError {
  const code = systemCode(error) === 'ENOENT' ? 'file-missing' : 'cannot-open';
  return new FormatError(code, path, messageOf(error));
}
