import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import type { RootDatabase } from 'lmdb';
import { z } from 'zod';
import { writeFully } from '../platform/durable-files.js';
import { dataFilePath } from './data-file.js';
import { removedData, toStateError } from './state-error.js';

const STEP_BYTES = 1 << 20;
/** Pages for tree roots, free-list bookkeeping, and whatever the estimate misses. */
const SPARE_PAGES = 64;
/** Bytes that the tree stores with each record besides key and value. */
const ENTRY_BYTES = 16;
/**
 * Pages that only urgent transactions may use. They do not need to grow the file, and use again what the ones before them
 * have freed, so that these are enough for hundreds of them.
 */
const URGENT_PAGES = 64;
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

/** Reserves disk space for the running transaction before it is committed. */
export interface Reserve {
  /**
   * To be called inside a transaction. If it throws (StateError: `disk-full`, or `corrupt` if the data file has been
   * removed), the transaction must not be committed.
   */
  ensure(writes: { readonly count: number; readonly bytes: number }, isUrgent: boolean): void;
  close(): void;
}

/**
 * Grows the data file with zeros ahead of LMDB's writes. A commit that ran out of space would end the process, because
 * LMDB's binding writes the error message past the end of a buffer (`last_error` in its mdb.c). So the space is taken
 * beforehand, where a failure is an ordinary error. This also keeps the file at least as long as its header says, on which
 * `checkDataFile` relies.
 */
export function createReserve(database: RootDatabase<string>, directory: string): Reserve {
  const file = openSync(dataFilePath(directory), 'r+');
  // The id of the last committed transaction, and the pages reserved after it: transactions that share a commit also share
  // its pages.
  let lastTransaction = -1;
  let pages = 0;
  return {
    ensure: ({ count, bytes }, isUrgent) => {
      const now = stats.parse(database.getStats());
      if (now.lastTxnId !== lastTransaction) {
        lastTransaction = now.lastTxnId;
        pages = now.free.treeLeafPageCount + now.free.overflowPages + SPARE_PAGES;
      }
      // Every write copies the pages on its path from the root, but no more than there are.
      const copied = Math.min(count * (now.treeDepth + 2), now.treeBranchPageCount + now.treeLeafPageCount);
      const added = Math.ceil((bytes + count * ENTRY_BYTES) / now.pageSize);
      const needed = pages + copied + NEW_PAGES_PER_PAGE * added + SPARE_PAGES;
      const kept = isUrgent ? 0 : URGENT_PAGES;
      const neededBytes = (now.lastPageNumber + 1 + needed + kept) * now.pageSize;
      try {
        const { size, nlink } = fstatSync(file);
        if (nlink === 0) throw removedData(directory);
        if (size < neededBytes) {
          // A process that was killed while it read keeps its snapshot, and no page of that, or freed since, is used again.
          database.readerCheck();
          grow(file, size, neededBytes);
        }
      } catch (error) {
        throw toStateError(directory, error);
      }
      // Only now: a refused transaction needs no pages, and without a commit its pages would never be forgotten.
      pages = needed;
    },
    close: () => closeSync(file),
  };
}

/**
 * Grows the file to the needed size, or not at all: a part of it would be of no use here, while others may need the rest of
 * the disk. Nobody else writes to the file meanwhile.
 */
function grow(file: number, size: number, neededBytes: number): void {
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
