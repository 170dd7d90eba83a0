import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import type { RootDatabase } from 'lmdb';
import { z } from 'zod';
import { writeFully } from '../platform/durable-files.js';
import { dataFilePath } from './data-file.js';
import { toStateError } from './state-error.js';

const STEP_BYTES = 1 << 20;
/** Roots, free-list bookkeeping, and what the estimate forgets. */
const SPARE_PAGES = 64;
/** What the tree keeps with each record, besides key and value. */
const ENTRY_BYTES = 16;
/** Pages are at least half full after a split, and a value over half a page gets whole pages to itself. */
const NEW_PAGES_PER_PAGE = 4;

const tree = z.object({ treeBranchPageCount: z.int(), treeLeafPageCount: z.int(), overflowPages: z.int() });
const stats = tree.extend({
  pageSize: z.int(),
  treeDepth: z.int(),
  lastPageNumber: z.int(),
  lastTxnId: z.int(),
  free: tree,
});

/** Disk space for the transaction that is running, taken before it is committed. */
export interface Reserve {
  /** Called inside a transaction. Throws StateError `disk-full`, and then the transaction must not be committed. */
  ensure(writes: { readonly count: number; readonly bytes: number }): void;
  close(): void;
}

/**
 * Grows the data file with zeros ahead of LMDB's writes. A commit that ran out of space would end the process: LMDB's
 * binding writes its message about it past the end of a buffer (`last_error` in its mdb.c). So the space is taken first,
 * where a failure is an ordinary error. It also keeps the file as long as its header says, which `checkDataFile` relies on.
 */
export function createReserve(database: RootDatabase<string>, directory: string): Reserve {
  const file = openSync(dataFilePath(directory), 'r+');
  // Transactions that share a commit share its pages too.
  let commit = -1;
  let pages = 0;
  return {
    ensure: ({ count, bytes }) => {
      const now = stats.parse(database.getStats());
      if (now.lastTxnId !== commit) {
        commit = now.lastTxnId;
        pages = now.free.treeLeafPageCount + now.free.overflowPages + SPARE_PAGES;
      }
      // Every write copies the pages on its way down, at most all there are.
      const copied = Math.min(count * (now.treeDepth + 2), now.treeBranchPageCount + now.treeLeafPageCount);
      const added = Math.ceil((bytes + count * ENTRY_BYTES) / now.pageSize);
      const needed = pages + copied + NEW_PAGES_PER_PAGE * added + SPARE_PAGES;
      try {
        grow(file, (now.lastPageNumber + 1 + needed) * now.pageSize);
      } catch (error) {
        throw toStateError(directory, error);
      }
      // Not before: what is refused needs nothing, and no commit would come to forget it.
      pages = needed;
    },
    close: () => closeSync(file),
  };
}

/**
 * All of it or nothing: what a full disk has left is of no use here, and others may need it. Nobody else writes
 * meanwhile.
 */
function grow(file: number, neededBytes: number): void {
  const { size } = fstatSync(file);
  if (size >= neededBytes) return;
  const zeros = Buffer.alloc(STEP_BYTES);
  const target = Math.ceil(neededBytes / STEP_BYTES) * STEP_BYTES;
  try {
    for (let offset = size; offset < target; offset += STEP_BYTES) {
      writeFully(file, zeros.subarray(0, Math.min(STEP_BYTES, target - offset)), offset);
    }
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  }
}
