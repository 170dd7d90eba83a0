import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { messageOf } from '../core/message-of.js';
import { BackupError, type BackupLine, backupEnd, backupHeader, backupLine } from './backup-format.js';

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/** A backup that has been read to its end once, and is complete. */
export interface CheckedBackup {
  /** When it was made, ISO 8601. */
  readonly createdAt: string;
  /** Its files and records, read lazily: a backup can be larger than memory. */
  lines(): Iterable<BackupLine>;
}

/** Reads a backup to its end. Throws {@link BackupError} if it is none, cut off, altered or unreadable. */
export function openBackup(path: string): CheckedBackup {
  const isFile = reading(path, () => statSync(path).isFile());
  // A backup is read twice, and a pipe would yield nothing the second time.
  if (!isFile) throw new BackupError(`backup ${path}: it is not a regular file; save the backup to a file first`);
  const hash = createHash('sha256');
  let createdAt: string | undefined;
  let damagedLine: number | undefined;
  let last: Buffer | undefined;
  let count = 0;
  for (const line of linesOf(path)) {
    if (last) {
      hash.update(last).update('\n');
      count++;
      createdAt ??= headerOf(path, last);
      if (count > 1 && !readLine(last)) damagedLine ??= count;
    }
    last = line;
  }
  if (last === undefined || createdAt === undefined) throw noBackup(path);
  const end = backupEnd.safeParse(parse(last));
  if (!end.success || end.data.sha256 !== hash.digest('hex') || end.data.lines !== count) {
    throw new BackupError(`backup ${path}: it is truncated or was changed`);
  }
  if (damagedLine !== undefined) throw damaged(path, damagedLine);
  return { createdAt, lines: () => linesBetween(path, count) };
}

/** The lines between the header and the last line. */
function* linesBetween(path: string, count: number): Generator<BackupLine> {
  let at = 0;
  for (const bytes of linesOf(path)) {
    at++;
    if (at === 1) continue;
    if (at > count) return;
    const line = readLine(bytes);
    if (!line) throw damaged(path, at);
    yield line;
  }
  // Without this error, a state with missing records would replace the former one.
  throw new BackupError(`backup ${path}: it became shorter while it was read`);
}

function headerOf(path: string, line: Buffer): string {
  const header = backupHeader.safeParse(parse(line));
  if (!header.success) throw noBackup(path);
  return header.data.createdAt;
}

const noBackup = (path: string): BackupError =>
  new BackupError(`backup ${path}: it is not a backup of a state directory`);

/** The message does not quote the line, which can hold a secret. */
const damaged = (path: string, line: number): BackupError =>
  new BackupError(`backup ${path}: line ${line} is neither a record nor a file`);

const readLine = (bytes: Buffer): BackupLine | undefined => backupLine.safeParse(parse(bytes)).data;

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

/** The lines of a file, without their line feeds. */
function* linesOf(path: string): Generator<Buffer> {
  const file = reading(path, () => openSync(path, 'r'));
  try {
    let begun: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const length = reading(path, () => readSync(file, chunk));
      if (length === 0) break;
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to >= 0 && to < length; to = chunk.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, to)]);
        begun = [];
        from = to + 1;
      }
      if (from < length) begun.push(chunk.subarray(from, length));
    }
    if (begun.length > 0) yield Buffer.concat(begun);
  } finally {
    closeSync(file);
  }
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = messageOf(cause);
    throw new BackupError(`backup ${path}: it cannot be read (${reason})`, { cause });
  }
}
