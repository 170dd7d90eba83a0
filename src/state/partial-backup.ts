import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { libc } from '../platform/libc.js';
import { BACKUP_BEGINNING } from './backup-format.js';
import { namesIn } from './names-in.js';

/** A backup that is being written. It holds a lock until it is closed, so that no other backup takes it for a remainder. */
export interface PartialBackup {
  readonly path: string;
  readonly file: number;
  /** Closes the file and removes its temporary name. */
  close(): void;
}

/** Only its owner may read a backup, as it holds keys. */
const MODE = 0o600;

/** Creates the file (mode 0600) that is to get the name `path` when it is complete. Throws the file system's error. */
export function createPartialBackup(path: string): PartialBackup {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.partial`;
  const file = openSync(temporary, 'wx', MODE);
  let isOurs = true;
  try {
    isOurs = libc().tryLock(file, 'exclusive') && existsSync(temporary);
  } catch {
    // Media without locks: another backup cannot lock the file either, and leaves it alone.
  }
  const close = (): void => {
    rmSync(temporary, { force: true });
    closeSync(file);
  };
  if (isOurs) return { path: temporary, file, close };
  // Another backup has found it empty and not yet locked, and taken it for a remainder.
  close();
  return createPartialBackup(path);
}

/** Removes what backups that were killed have left in the directory of `path`: it holds keys, and nobody would miss it. */
export function removeLeftBackups(path: string): void {
  const directory = dirname(path);
  for (const name of namesIn(directory)) {
    if (/\.[0-9a-f]{8}\.partial$/.test(name)) removeIfLeft(join(directory, name));
  }
}

function removeIfLeft(path: string): void {
  let file: number | undefined;
  try {
    file = openSync(path, 'r+');
    // In this order: a running backup has its lock before it writes anything.
    if ((isBackup(file) || isNotBegun(file)) && libc().tryLock(file, 'exclusive')) rmSync(path);
  } catch {
    // A remainder that cannot be removed keeps nobody from a backup.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Whether this may be a backup that was killed before its first byte; nobody would miss another empty file so named. */
function isNotBegun(file: number): boolean {
  const { size, mode } = fstatSync(file);
  return size === 0 && (mode & 0o777) === MODE;
}

function isBackup(file: number): boolean {
  const bytes = Buffer.alloc(BACKUP_BEGINNING.length);
  readSync(file, bytes, 0, bytes.length, 0);
  return bytes.toString() === BACKUP_BEGINNING;
}
