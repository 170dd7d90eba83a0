import { LoggableError } from '../core/loggable-error.js';
import { messageOf } from '../core/message-of.js';
import { nameOfErrno, systemCode } from '../core/system-code.js';

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

/** The error for a data file that was removed: what a process that has it open still writes there is lost when that ends. */
export function removedData(directory: string): StateError {
  const advice = 'stop the service, then restore a backup, or let it begin with an empty directory';
  return new StateError('corrupt', directory, `its data file has been removed while in use; ${advice}`);
}

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
};

/** What EFBIG means: no disk is full, and to free space would not help. */
export const GROWTH_IS_LIMITED = 'the file may not grow so large, by a limit of the process or of the file system';

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
  // Node names an error of the system, LMDB numbers it.
  const number = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 0;
  const reason = messageOf(error);
  if (DAMAGE.has(number)) return damagedData(directory, reason, { cause: error });
  const code = systemCode(error) ?? nameOfErrno(number) ?? '';
  const kind = BY_SYSTEM_CODE[code] ?? 'io-failed';
  const detail = code === 'EFBIG' ? GROWTH_IS_LIMITED : DETAILS[kind];
  return new StateError(kind, directory, `${detail} (${reason})`, { cause: error });
}
