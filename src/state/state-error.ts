import { LoggableError } from '../core/loggable-error.js';
import { messageOf } from '../core/message-of.js';
import { systemCode } from '../core/system-code.js';

/** What can be wrong with a state directory. */
export type StateErrorCode =
  | 'not-writable'
  | 'newer-version'
  | 'corrupt'
  | 'disk-full'
  | 'not-private'
  | 'in-use'
  | 'mount-point'
  | 'not-a-state'
  | 'io-failed'
  | 'closed';

/** A state directory that cannot be used, or a write that was not stored. The message names the directory. */
export class StateError extends LoggableError {
  override readonly name = 'StateError';

  constructor(
    readonly code: StateErrorCode,
    readonly directory: string,
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(`state directory ${directory}: ${detail}`, options);
  }
}

/** A file of the directory that cannot be read, where nothing was to be written. */
export function unreadable(directory: string, path: string, cause: unknown): StateError {
  const reason = messageOf(cause);
  return new StateError('io-failed', directory, `${path} cannot be read (${reason})`, { cause });
}

/** The error for a data file that is damaged beyond use. */
export function damagedData(directory: string, reason: string, options?: ErrorOptions): StateError {
  const advice = 'restore a backup, or move the directory away to start with an empty state';
  return new StateError('corrupt', directory, `its data file is damaged (${reason}); ${advice}`, options);
}

/** File-system errors by name, as Node reports them, and by number (Linux, macOS), as LMDB does. */
const BY_SYSTEM_CODE: Readonly<Record<string, keyof typeof DETAILS>> = {
  EPERM: 'not-writable',
  EACCES: 'not-writable',
  ENOENT: 'not-writable',
  EEXIST: 'not-writable',
  ENOTDIR: 'not-writable',
  EISDIR: 'not-writable',
  EROFS: 'not-writable',
  EFBIG: 'disk-full',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  1: 'not-writable',
  2: 'not-writable',
  13: 'not-writable',
  20: 'not-writable',
  21: 'not-writable',
  30: 'not-writable',
  27: 'disk-full',
  28: 'disk-full',
  69: 'disk-full',
  122: 'disk-full',
};

const DETAILS: Readonly<Record<'not-writable' | 'disk-full' | 'io-failed', string>> = {
  'not-writable': 'cannot be written to',
  'disk-full': 'no space left to store this',
  'io-failed': 'reading or writing failed',
};

/** LMDB's own errors that indicate damage: MDB_PAGE_NOTFOUND, CORRUPTED, VERSION_MISMATCH and INVALID. */
const DAMAGE = new Set([-30797, -30796, -30794, -30793]);

/** Converts an error of the file system or of LMDB to a {@link StateError}; returns a StateError unchanged. */
export function toStateError(directory: string, error: unknown): StateError {
  if (error instanceof StateError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason = messageOf(error);
  if (typeof code === 'number' && DAMAGE.has(code)) return damagedData(directory, reason, { cause: error });
  const kind = BY_SYSTEM_CODE[systemCode(error) ?? String(code)] ?? 'io-failed';
  return new StateError(kind, directory, `${DETAILS[kind]} (${reason})`, { cause: error });
}
