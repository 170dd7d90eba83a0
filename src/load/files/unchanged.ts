import { statSync } from 'node:fs';
import { type DiskFile, InputError } from '../input.js';

/** A file on disk, with its size and modification time when it was found. */
export interface FoundFile extends DiskFile {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** Records a file's state before any of it is read. Throws `InputError` if it has been removed since it was listed. */
export function stampFile({ path, label }: DiskFile): FoundFile {
  const now = lookAt(path);
  if (!now)
    throw new InputError(
      `${label}: it was removed after the files were listed; try again when no other program changes the input`,
    );
  return { path, label, ...now };
}

/**
 * Throws `InputError` naming each file that is no longer as it was found: what was read of it may mix two versions, or
 * end in the middle.
 */
export function requireUnchanged(files: readonly FoundFile[]): void {
  const problems = files.flatMap(({ path, label, sizeBytes, modifiedMs }) => {
    const now = lookAt(path);
    if (!now) return [`${label}: it was removed while it was read`];
    if (now.sizeBytes !== sizeBytes)
      return [`${label}: it changed while it was read: it had ${sizeBytes} bytes and now has ${now.sizeBytes}`];
    if (now.modifiedMs !== modifiedMs) return [`${label}: it was modified while it was read`];
    return [];
  });
  if (problems.length > 0)
    throw new InputError([...problems, 'Try again when no other program writes to it.'].join('\n'));
}

function lookAt(path: string): Pick<FoundFile, 'sizeBytes' | 'modifiedMs'> | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && { sizeBytes: stats.size, modifiedMs: stats.mtimeMs };
}
