import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { syncDirectory } from '../platform/durable-files.js';
import { isRunning } from '../platform/is-running.js';
import { BackupError, type BackupLine, backupEnd, backupHeader, backupLine, recordKey } from './backup.js';
import { buildingPath, formerPath, leftByRestores, prepareDirectory, restoringPath } from './directory.js';
import { openState } from './open-state.js';
import { toStateError } from './state-error.js';
import { defineCollection } from './store.js';
import { keepUnused } from './use-lock.js';

const RECORDS_A_TRANSACTION = 1000;

/** What a restore did. */
export interface RestoreSummary {
  readonly records: number;
  /** When the backup was made, ISO 8601. */
  readonly createdAt: string;
  /** Where the state that was there before is now; null where there was none. */
  readonly formerDirectory: string | null;
}

/** Whether a state directory holds anything that a restore would put aside. */
export function holdsState(directory: string): boolean {
  return existsSync(directory) && readdirSync(directory).length > 0;
}

/**
 * Makes a state directory out of a backup. It is checked and built beside the directory first, gets another name there when
 * it is whole and on the disk, and takes its place by a rename; what was there is kept beside it. Throws {@link BackupError}
 * for a backup that is none or damaged, and StateError: `in-use` where a process has the directory open, `newer-version`,
 * `disk-full`.
 */
export async function restoreState(path: string, directory: string, now: Date): Promise<RestoreSummary> {
  const target = resolve(directory);
  const former = holdsState(target) ? formerPath(target, now) : null;
  const release = existsSync(target) ? keepUnused(target) : () => {};
  const building = buildingPath(target, process.pid);
  const built = restoringPath(target, process.pid);
  let isBuilt = false;
  try {
    const backup = readBackup(path);
    // One that was killed may have had the same number: in a container all have.
    remove(building);
    const records = await build(backup.lines, building);
    remove(built);
    rename(building, built, target);
    isBuilt = true;
    syncDirectory(dirname(target));
    if (former) rename(target, former, target);
    // Empty, but for the lock.
    else remove(target);
    takePlace(built, target, former);
    syncDirectory(dirname(target));
    removeLeftovers(target);
    return { records, createdAt: backup.createdAt, formerDirectory: former };
  } finally {
    remove(building);
    // Where neither could have the name, this one tells a start what has happened; so does one that was there before.
    if (isBuilt && (existsSync(target) || !former)) remove(built);
    release();
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** What restores that were killed had built, whole or in part: it holds keys. */
function removeLeftovers(target: string): void {
  for (const { path, pid } of leftByRestores(target)) {
    if (pid !== undefined && !isRunning(pid)) remove(path);
  }
}

/** Nobody's state is to be missing for want of a name: where the new one cannot have it, the former one gets it back. */
function takePlace(built: string, target: string, former: string | null): void {
  try {
    rename(built, target, target);
  } catch (error) {
    if (former) rename(former, target, target);
    throw error;
  }
}

function rename(from: string, to: string, target: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    throw toStateError(target, error);
  }
}

async function build(lines: readonly BackupLine[], directory: string): Promise<number> {
  prepareDirectory(directory);
  const records = lines.flatMap((line) => ('collection' in line ? [line] : []));
  // The version last: until then the store is one of this program's own.
  const ordered = [...records].sort(
    (one, other) => Number(one.collection === 'about') - Number(other.collection === 'about'),
  );
  const state = await openState(directory);
  try {
    for (let at = 0; at < ordered.length; at += RECORDS_A_TRANSACTION) {
      await state.transact((transaction) => {
        for (const { collection, key, value } of ordered.slice(at, at + RECORDS_A_TRANSACTION)) {
          transaction.put(anyCollection(collection), key, value);
        }
      });
    }
  } finally {
    await state.close();
  }
  for (const line of lines) {
    if ('file' in line) writeFileSync(join(directory, line.file), line.text, { mode: 0o600, flush: true });
  }
  // Migrates what an older program backed up, and refuses what a newer one did.
  await (await openState(directory)).close();
  syncDirectory(directory);
  return records.length;
}

/** What a record may be is checked by whoever reads it. */
function anyCollection(name: string) {
  return defineCollection(name, { key: recordKey, value: z.json() });
}

function readBackup(path: string): { createdAt: string; lines: BackupLine[] } {
  const text = readText(path);
  const endsAt = text.lastIndexOf('\n', text.length - 2) + 1;
  const content = text.slice(0, endsAt);
  const [first = '', ...rest] = content.split('\n').slice(0, -1);
  const header = backupHeader.safeParse(parse(first));
  if (!header.success) throw new BackupError(`backup ${path}: this is no backup of a state directory`);
  const end = backupEnd.safeParse(parse(text.slice(endsAt)));
  const sha256 = createHash('sha256').update(content).digest('hex');
  if (!end.success || end.data.sha256 !== sha256 || end.data.lines !== rest.length + 1) {
    throw new BackupError(`backup ${path}: it is cut off or altered`);
  }
  const lines = rest.map((text, at) => {
    const line = backupLine.safeParse(parse(text));
    // Not what it says: it can be a secret.
    if (!line.success) throw new BackupError(`backup ${path}: line ${at + 2} is neither a record nor a file`);
    return line.data;
  });
  return { createdAt: header.data.createdAt, lines };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BackupError(`backup ${path}: it cannot be read (${reason})`, { cause });
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
