import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../core/message-of.js';
import { systemCode } from '../core/system-code.js';
import { syncDirectory } from '../platform/durable-files.js';
import { isFileSystemError } from '../platform/file-system-error.js';
import { isRunning } from '../platform/is-running.js';
import { makeDirectory } from '../platform/make-directory.js';
import { isMountPoint } from '../platform/mount-point.js';
import { type BackupLine, recordKey } from './backup-format.js';
import { isStateDirectory } from './data-file.js';
import { handOver, ownerOf, staysRoots } from './hand-over.js';
import { VERSION_COLLECTION } from './migrations.js';
import { openState } from './open-state.js';
import { KEPT_FILES } from './own-files.js';
import { prepareDirectory } from './prepare-directory.js';
import { type CheckedBackup, openBackup } from './read-backup.js';
import { buildingPath, formerPath, leftByRestores, placeOf, restoringPath } from './restore-directories.js';
import { StateError, toStateError } from './state-error.js';
import { defineCollection, type StateStore, type Transaction } from './store.js';
import { keepUnused } from './use-lock.js';

const RECORDS_A_TRANSACTION = 1000;

/** The result of a restore. */
export interface RestoreSummary {
  readonly records: number;
  /** When the backup was made, ISO 8601. */
  readonly createdAt: string;
  /** Where the former state has been moved; null if there was none. */
  readonly formerDirectory: string | null;
  /** What root's process has made and could give to no other user, who may be the service's; null if there is no such. */
  readonly rootsDirectory: string | null;
}

/** Writes further records into a restored state before it takes the directory's name. */
type FinishRestore = (transaction: Transaction, restored: Pick<RestoreSummary, 'records' | 'createdAt'>) => void;

/**
 * Whether a directory holds a state, or the remains of one, which a restore moves aside. Throws StateError if it holds
 * something else: it is the wrong directory.
 */
export function holdsState(directory: string): boolean {
  if (!existsSync(directory)) return false;
  const names = entriesOf(directory);
  if (names.length === 0) return false;
  // Of a restore that was killed, the directory may hold its lock file alone.
  const isState = isStateDirectory(directory) || names.every((name) => name.endsWith('.lock'));
  if (isState || names.some((name) => KEPT_FILES.includes(name))) return true;
  throw new StateError('not-a-state', directory, 'holds something else than a state; name another directory');
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    throw toStateError(directory, error);
  }
}

/**
 * Restores a state directory from a backup. The new directory is checked and built under a temporary name beside the old
 * one, gets a second temporary name when it is complete and on the disk, and then takes the directory's name; the old
 * directory is kept beside it. A symbolic link stays, and the directory that it leads to is replaced. What root restores
 * belongs to the owner of the old directory, or of the one above if there is none, as do missing ones above, which are made.
 * Throws BackupError if the file is no backup or damaged, and StateError: `in-use` if a process has the directory open,
 * `not-a-state`, `mount-point`, `newer-version`, `disk-full`.
 */
export async function restoreState(
  path: string,
  directory: string,
  now: Date,
  finish: FinishRestore = () => {},
): Promise<RestoreSummary> {
  const target = placeOf(directory);
  if (isMountPoint(target)) throw mountPoint(target);
  const former = holdsState(target) ? formerPath(target, now) : null;
  const release = existsSync(target) ? keepUnused(target) : () => {};
  const building = buildingPath(target, process.pid);
  const built = restoringPath(target, process.pid);
  let isBuilt = false;
  try {
    const backup = openBackup(path);
    // A killed restore may have had the same process id: in a container all have.
    remove(building);
    const above = makeAbove(target);
    const records = await build(backup, building, finish);
    handOver(building, ownerOf(target));
    remove(built);
    rename(building, built, target);
    isBuilt = true;
    syncDirectory(dirname(target));
    if (former) rename(target, former, target);
    // It is empty except for the lock file.
    else replacing(target, () => remove(target));
    takePlace(built, target, former);
    afterwards(target, () => {
      syncDirectory(dirname(target));
      removeLeftovers(target);
    });
    const rootsDirectory = staysRoots(target, former) ? (above ?? target) : null;
    return { records, createdAt: backup.createdAt, formerDirectory: former, rootsDirectory };
  } catch (error) {
    throw isFileSystemError(error) ? toStateError(target, error) : error;
  } finally {
    remove(building);
    // If neither the new nor the former directory could get the name, the new one stays: it tells the next start what
    // happened.
    if (isBuilt && (existsSync(target) || !former)) remove(built);
    release();
  }
}

/** Makes the directories above that are missing, and returns the topmost; undefined if there was none to make. */
function makeAbove(target: string): string | undefined {
  const owner = ownerOf(target);
  const made = makeDirectory(dirname(target), 0o700);
  if (made === undefined) return undefined;
  handOver(made, owner);
  syncDirectory(dirname(made));
  return made;
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Removes what killed restores have built, complete or not, since it holds keys. */
function removeLeftovers(target: string): void {
  for (const { path, pid } of leftByRestores(target)) {
    if (pid !== undefined && !isRunning(pid)) remove(path);
  }
}

/** Runs what follows when the new state is in its place, so that a failure is not taken for one of the restore. */
function afterwards(target: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    const what = `has been restored, but the disk failed afterwards (${messageOf(cause)})`;
    throw new StateError('io-failed', target, what, { cause });
  }
}

/** Renames the new directory to the target; if that fails, gives the former one its name back, so that a state is there. */
function takePlace(built: string, target: string, former: string | null): void {
  try {
    rename(built, target, target);
  } catch (error) {
    if (former) rename(former, target, target);
    throw error;
  }
}

function rename(from: string, to: string, target: string): void {
  replacing(target, () => renameSync(from, to));
}

function replacing(target: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    const code = systemCode(error);
    throw code === 'EBUSY' || code === 'EXDEV' ? mountPoint(target, error) : toStateError(target, error);
  }
}

function mountPoint(directory: string, cause?: unknown): StateError {
  const what = `is a mount point, which a restore cannot replace${cause instanceof Error ? ` (${cause.message})` : ''}`;
  const advice = `restore to a directory below it, such as ${join(directory, 'state')}, and use that as STATE_DIR`;
  return new StateError('mount-point', directory, `${what}; ${advice}`, { cause });
}

async function build(backup: CheckedBackup, directory: string, finish: FinishRestore): Promise<number> {
  prepareDirectory(directory);
  const files: FileLine[] = [];
  const state = await openState(directory);
  let records: number;
  try {
    records = await putRecords(state, backup.lines(), files);
  } finally {
    await state.close();
  }
  for (const { file, text } of files) writeFileSync(join(directory, file), text, { mode: 0o600, flush: true });
  // Opening migrates what an older program has backed up, and refuses what a newer one has.
  const restored = await openState(directory);
  try {
    await restored.transact((transaction) => finish(transaction, { records, createdAt: backup.createdAt }));
  } finally {
    await restored.close();
  }
  syncDirectory(directory);
  return records;
}

type FileLine = Extract<BackupLine, { readonly file: string }>;
type RecordLine = Exclude<BackupLine, FileLine>;

/** Stores the records as they are read, and adds the state's files to `files`. Returns the number of records. */
async function putRecords(state: StateStore, lines: Iterable<BackupLine>, files: FileLine[]): Promise<number> {
  const versions: RecordLine[] = [];
  let some: RecordLine[] = [];
  let count = 0;
  const put = async (records: readonly RecordLine[]): Promise<void> => {
    await state.transact((transaction) => {
      for (const { collection, key, value } of records) transaction.put(anyCollection(collection), key, value);
    });
    count += records.length;
  };
  for (const line of lines) {
    // Older programs also backed up files that are not the state's.
    if ('file' in line && KEPT_FILES.includes(line.file)) files.push(line);
    if (!('collection' in line)) continue;
    if (line.collection === VERSION_COLLECTION) versions.push(line);
    else some.push(line);
    if (some.length < RECORDS_A_TRANSACTION) continue;
    await put(some);
    some = [];
  }
  await put(some);
  // The schema version comes last: until then the store has this program's version, and accepts writes.
  await put(versions);
  return count;
}

/** A collection without a schema: a record's contents are checked when it is read. */
function anyCollection(name: string) {
  return defineCollection(name, { key: recordKey, value: z.json() });
}
