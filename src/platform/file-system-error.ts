import { messageOf } from '../core/message-of.js';
import { systemCode } from '../core/system-code.js';

/** Why a directory cannot be changed, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file grew past the allowed size',
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'a directory of the path does not exist',
  EISDIR: 'a directory is in the way',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a file is in the way',
  ENOLCK: 'the file system provides no file locks',
  ENOTSUP: 'the file system provides no file locks',
};

/**
 * Whether this is an error of the file system, reported by Node or by the C library: its message names the call and mostly
 * the path, so that a stack trace would not help.
 */
export function isFileSystemError(error: unknown): error is Error {
  return systemCode(error) !== undefined && error instanceof Error && 'syscall' in error;
}

/** Why a write failed, as text for people with the system's message; undefined for errors of anything else. */
export function fileSystemReason(error: unknown): string | undefined {
  if (!isFileSystemError(error)) return undefined;
  const code = systemCode(error) ?? '';
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  const message = messageOf(error);
  return reason === undefined ? message : `${reason} (${message})`;
}
