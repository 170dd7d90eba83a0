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
  ENOTDIR: 'a part of the path is no directory',
  EEXIST: 'a file is in the way',
  ENOLCK: 'the file system has no locks to give',
  ENOTSUP: 'the file system has no locks to give',
};

/** Why a write failed, as text for people with the system's message; undefined for other errors. */
export function fileSystemReason(error: unknown): string | undefined {
  const code = systemCode(error);
  if (!(error instanceof Error) || code === undefined) return undefined;
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return reason && `${reason} (${error.message})`;
}
