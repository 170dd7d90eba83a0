import { open, type RootDatabase } from 'lmdb';
import { syncDirectory } from '../platform/durable-files.js';
import { checkDataFile, markDataFile } from './data-file.js';
import { prepareDirectory, refuseCutOffRestore } from './directory.js';
import { checkVersion, MIGRATIONS, type Migration, migrate } from './migrations.js';
import { createOpeningLock, type OpeningLock } from './opening-lock.js';
import { createReserve, type Reserve } from './reserve.js';
import { StateError, toStateError } from './state-error.js';
import type { StateStore } from './store.js';
import { createTransactor } from './transactor.js';
import { markInUse } from './use-lock.js';
import { openView, storedRecords } from './view.js';

/** Address space, not memory or disk. LMDB maps more when the file outgrows it. */
const MAP_BYTES = 1 << 30;

export interface OpenStateOptions {
  readonly migrations?: readonly Migration[];
  /** Told once where a write has failed in the middle: from then on all fail, until another process opens the directory. */
  readonly onBroken?: (error: StateError) => void;
}

/**
 * Opens the state kept in a directory, which is made where there is none, and migrates what an older version of this
 * program left there. Reads everything once, so that damage is found now. Open a directory once a thread.
 *
 * Throws {@link StateError}: `not-writable`, `newer-version`, `corrupt` or `disk-full`.
 */
export async function openState(directory: string, options: OpenStateOptions = {}): Promise<StateStore> {
  const { migrations = MIGRATIONS, onBroken = () => {} } = options;
  refuseCutOffRestore(directory);
  prepareDirectory(directory);
  await checkDataFile(directory);
  const endUse = markInUse(directory);
  let lock: OpeningLock;
  try {
    lock = createOpeningLock(directory);
  } catch (error) {
    endUse();
    throw error;
  }
  let database: RootDatabase<string> | undefined;
  let reserve: Reserve | undefined;
  const close = async (): Promise<void> => {
    reserve?.close();
    if (database) await closeDatabase(database, lock);
    lock.close();
    endUse();
  };
  try {
    database = await lock.alone(() => openDatabase(directory));
    readEverything(database, directory);
    // The flush of a commit is worth nothing while a power failure could still take the file's name.
    syncDirectory(directory);
    reserve = createReserve(database, directory);
    const transact = createTransactor({ database, directory, reserve, lock, onBroken });
    await transact((transaction) => migrate(transaction, directory, migrations));
    markDataFile(directory);
    return createStore({ database, directory, transact, migrations, close });
  } catch (error) {
    await close();
    throw toStateError(directory, error);
  }
}

/** Closes whether or not the lock can be had: at the worst another process that opens just now fails, and says so. */
async function closeDatabase(database: RootDatabase<string>, lock: OpeningLock): Promise<void> {
  const entered = await lock.enter().then(
    () => true,
    () => false,
  );
  await database.close();
  if (entered) lock.leave();
}

function openDatabase(directory: string): RootDatabase<string> {
  const options = {
    path: directory,
    encoding: 'string' as const,
    mapSize: MAP_BYTES,
    // The binding reads it, but its types do not have it.
    permissionsMode: 0o600,
    noSubdir: false,
    // A commit is on the disk when it resolves; the default flushes after it.
    overlappingSync: false,
    // The default makes a promise of its own a turn, and nobody catches that one when a commit fails.
    eventTurnBatching: false,
  };
  try {
    return open<string>(options);
  } catch (error) {
    throw toStateError(directory, error);
  }
}

/** Walks the whole tree: LMDB finds a page that is not what it should be when it comes to it. */
function readEverything(database: RootDatabase<string>, directory: string): void {
  try {
    for (const _ of database.getRange());
  } catch (cause) {
    // The file is mapped: whatever LMDB says, it is about what the file holds.
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StateError('corrupt', directory, `its data file is damaged (${reason})`, { cause });
  }
}

interface StoreParts {
  readonly database: RootDatabase<string>;
  readonly directory: string;
  readonly transact: StateStore['transact'];
  readonly migrations: readonly Migration[];
  readonly close: () => Promise<void>;
}

function createStore({ database, directory, transact, migrations, close }: StoreParts): StateStore {
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const assertOpen = () => {
    if (closing) throw new StateError('closed', directory, 'is closed');
  };
  return {
    directory,
    read: async (work) => {
      assertOpen();
      // LMDB's binding keeps a snapshot for a while; this may be older than another process's last commit.
      database.resetReadTxn();
      const view = openView(database, directory);
      try {
        return work(view);
      } finally {
        view.end();
      }
    },
    dump: async (work) => {
      assertOpen();
      database.resetReadTxn();
      return work(storedRecords(database, directory));
    },
    transact: async (work) => {
      assertOpen();
      const result = transact((transaction) => {
        checkVersion(transaction, directory, migrations);
        return work(transaction);
      });
      underWay.add(result);
      try {
        return await result;
      } finally {
        underWay.delete(result);
      }
    },
    close: () => {
      closing ??= (async () => {
        await Promise.allSettled(underWay);
        await close();
      })();
      return closing;
    },
  };
}
