import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../core/message-of.js';
import { systemCode } from '../core/system-code.js';
import { syncDirectory, writeFully } from '../platform/durable-files.js';
import { BACKUP_FORMAT, BackupError, type BackupHeader, type BackupLine } from './backup-format.js';
import { KEPT_FILES } from './own-files.js';
import { createPartialBackup, removeLeftBackups } from './partial-backup.js';
import { GROWTH_IS_LIMITED, StateError, unreadable } from './state-error.js';
import type { StateStore } from './store.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'no space left on the disk',
  EFBIG: GROWTH_IS_LIMITED,
  EEXIST: 'a file with that name already exists',
};

const BLOCK_BYTES = 1 << 16;

/** How much a backup holds. */
export interface BackupSummary {
  readonly records: number;
  readonly sizeBytes: number;
}

/**
 * Writes one consistent snapshot of the state to a new file (mode 0600), while other processes read and write. The file
 * appears complete and on the disk, or not at all. Throws {@link BackupError}, and StateError if the state cannot be read.
 */
export async function backupState(state: StateStore, path: string, now: Date): Promise<BackupSummary> {
  try {
    removeLeftBackups(path);
    const partial = createPartialBackup(path);
    try {
      const summary = await writeBackup(state, partial.file, now);
      fsyncSync(partial.file);
      giveName(partial.path, path);
      confirmName(path);
      return summary;
    } finally {
      partial.close();
    }
  } catch (error) {
    throw backupError(path, error);
  }
}

/** How media without hard links, such as FAT and some network drives, refuse one. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS']);

/** Lets the file appear under its name, complete, unless there is one of that name: a rename alone would replace that. */
function giveName(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error))) throw error;
    // An empty file takes the name, which the rename then replaces.
    closeSync(openSync(path, 'wx', 0o600));
    try {
      renameSync(temporary, path);
    } catch (failure) {
      rmSync(path, { force: true });
      throw failure;
    }
  }
}

/** Makes the name durable, or takes it back: a backup that is told as failed must not be in the way of the next. */
function confirmName(path: string): void {
  try {
    syncDirectory(dirname(path));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

async function writeBackup(state: StateStore, file: number, now: Date): Promise<BackupSummary> {
  const hash = createHash('sha256');
  let block = '';
  let offset = 0;
  let lines = 0;
  const flush = (): void => {
    const bytes = Buffer.from(block);
    hash.update(bytes);
    writeFully(file, bytes, offset);
    offset += bytes.length;
    block = '';
  };
  const write = (line: BackupHeader | BackupLine): void => {
    block += `${JSON.stringify(line)}\n`;
    lines++;
    if (block.length >= BLOCK_BYTES) flush();
  };
  write({ format: BACKUP_FORMAT, createdAt: now.toISOString() });
  // By its first line another backup recognizes this one, should it be killed.
  flush();
  for (const name of filesBeside(state.directory)) {
    write({ file: name, text: readKept(state.directory, name) });
  }
  const records = await state.dump((stored) => {
    let count = 0;
    for (const record of stored) {
      write(record);
      count++;
    }
    return count;
  });
  flush();
  const end = Buffer.from(`${JSON.stringify({ lines, sha256: hash.digest('hex') })}\n`);
  writeFully(file, end, offset);
  return { records, sizeBytes: offset + end.length };
}

/** The files to keep beside the database: keys and tokens. Locks and probes only matter on this machine, at this moment. */
function filesBeside(directory: string): string[] {
  return KEPT_FILES.filter((name) => existsSync(join(directory, name)));
}

function readKept(directory: string, name: string): string {
  const path = join(directory, name);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(directory, path, error);
  }
}

/** What reading the state has thrown is a StateError; the other errors with a code are those of writing the file. */
function backupError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof StateError) return error;
  const reason = REASONS[systemCode(error) ?? ''] ?? `it cannot be written (${messageOf(error)})`;
  return new BackupError(`backup ${path}: ${reason}`, { cause: error });
}
