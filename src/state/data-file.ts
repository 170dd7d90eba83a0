import { closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../core/system-code.js';
import { damagedData, toStateError } from './state-error.js';

/**
 * An LMDB file begins with two meta pages, of which the newer one is valid. Each has 24 bytes of page header, then magic,
 * version, address, map size, two trees of 48 bytes, last page and transaction (`MDB_page_header` and `MDB_meta` in LMDB's
 * mdb.c).
 */
const FLAGS_OFFSET = 18;
const META_FLAG = 0x08;
const MAGIC_OFFSET = 24;
const MAGIC = 0xbeefc0de;
const PAGE_SIZE_OFFSET = 48;
const TREE_OFFSETS = [48, 96];
/** Within a tree: its depth, the counts of its branch, leaf and overflow pages, and its root page. */
const DEPTH_OFFSET = 6;
const PAGE_COUNT_OFFSETS = [8, 16, 24];
const ROOT_OFFSET = 40;
/** As root of an empty tree, LMDB stores this. */
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
/** LMDB's cursors hold no deeper path. */
const DEPTH_MAX = 32;
const LAST_PAGE_OFFSET = 144;
const META_BYTES = 168;
const GONE = 'it is empty or missing';
const ATTEMPTS = 5;
const RETRY_DELAY_MS = 20;

/** Marks a directory whose data file has been made: if that file is empty or gone, it is damaged, not new. */
const MARK = '.has-records';

/** The file of a state directory that holds its records. */
export function dataFilePath(directory: string): string {
  return join(directory, 'data.mdb');
}

/**
 * Checks header and length of the data file before LMDB maps it, because LMDB's binding ends the process if the file is not
 * an LMDB file, and so does access to a page beyond the end of the file; page counts that are too high would let the reserve
 * fill the disk. Damage within the trees is found only when they are read, and may end the process. A file that does not
 * exist yet, or is empty because its process was killed while making it, is accepted until {@link markDataFile}. Throws
 * StateError.
 */
export async function checkDataFile(directory: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const problem = problemOf(directory);
    if (problem === undefined) return;
    // Another process may be writing the file's first pages right now.
    if (attempt === ATTEMPTS) throw damagedData(directory, problem);
    await delay(RETRY_DELAY_MS);
  }
}

/**
 * Whether a directory has the data file of a state, or had one: opening any other directory would make a new state there.
 * Throws StateError where the system does not let this user see.
 */
export function isStateDirectory(directory: string): boolean {
  try {
    return [dataFilePath(directory), join(directory, MARK)].some((path) => statSync(path, { throwIfNoEntry: false }));
  } catch (error) {
    // A file has nothing in it.
    if (systemCode(error) === 'ENOTDIR') return false;
    throw toStateError(directory, error);
  }
}

/** Notes that the data file has been made. */
export function markDataFile(directory: string): void {
  const path = join(directory, MARK);
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600 });
}

function problemOf(directory: string): string | undefined {
  const isNew = !existsSync(join(directory, MARK));
  let file: number;
  try {
    file = openSync(dataFilePath(directory), constants.O_RDWR);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return isNew ? undefined : GONE;
    throw toStateError(directory, error);
  }
  try {
    // The header is read before the size: the file only grows, and grows before its header counts the new pages.
    const first = readMeta(file, 0);
    if (first === undefined) {
      if (fstatSync(file).size > 0) return 'no valid header';
      return isNew ? undefined : GONE;
    }
    const second = readMeta(file, first.pageSizeBytes);
    if (second?.pageSizeBytes !== first.pageSizeBytes) return 'no valid second header';
    const pages = Math.max(first.pages, second.pages);
    return fstatSync(file).size < pages * first.pageSizeBytes ? 'truncated' : undefined;
  } finally {
    closeSync(file);
  }
}

function readMeta(file: number, offset: number): { pageSizeBytes: number; pages: number } | undefined {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(file, bytes, 0, META_BYTES, offset) < META_BYTES) return undefined;
  // LMDB writes in the machine's own byte order, which is little-endian wherever its binding has a binary.
  if ((bytes.readUInt16LE(FLAGS_OFFSET) & META_FLAG) === 0 || bytes.readUInt32LE(MAGIC_OFFSET) !== MAGIC)
    return undefined;
  const pageSizeBytes = bytes.readUInt32LE(PAGE_SIZE_OFFSET);
  const isPageSize = pageSizeBytes >= 512 && pageSizeBytes <= 65_536 && (pageSizeBytes & (pageSizeBytes - 1)) === 0;
  const pages = bytes.readBigUInt64LE(LAST_PAGE_OFFSET) + 1n;
  if (!isPageSize || !TREE_OFFSETS.every((tree) => isTree(bytes.subarray(tree), pages))) return undefined;
  return { pageSizeBytes, pages: Number(pages) };
}

/** Whether a tree, as its header describes it, can lie in a file of that many pages. */
function isTree(bytes: Buffer, pages: bigint): boolean {
  const root = bytes.readBigUInt64LE(ROOT_OFFSET);
  const used = PAGE_COUNT_OFFSETS.reduce((sum, at) => sum + bytes.readBigUInt64LE(at), 0n);
  return (root < pages || root === NO_PAGE) && used <= pages && bytes.readUInt16LE(DEPTH_OFFSET) <= DEPTH_MAX;
}
