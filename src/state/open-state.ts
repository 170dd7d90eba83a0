import { closeSync } from 'node:fs';
import { open, type RootDatabase } from 'lmdb';
import { messageOf } from '../core/message-of.js';
import { syncDirectory } from '../platform/durable-files.js';
import { checkDataFile, isStateDirectory, markDataFile } from './data-file.js';
import { makeLockFile } from './lock-file.js';
import { checkVersion, MIGRATIONS, type Migration, migrate } from './migrations.js';
import { createOpeningLock, type OpeningLock } from './opening-lock.js';
import { LOCK_FILE, prepareDirectory } from './prepare-directory.js';
import { createReserve, type Reserve } from './reserve.js';
import { refuseCutOffRestore } from './restore-directories.js';
import { damagedData, StateError, toStateError } from './state-error.js';
import type { StateStore } from './store.js';
import { createTransactor } from './transactor.js';
import { markInUse } from './use-lock.js';
import { openView, storedRecords } from './view.js';

/** The size of the mapping: address space, not memory or disk. LMDB maps more when the file outgrows it. */
const MAP_BYTES = 1 << 30;

export interface OpenStateOptions {
  /**
   * Whether another process of the service has opened the state: if there is none, its volume is gone, and a new one would
   * hide that and take in what nobody finds again. By default, a new state is made.
   */
  readonly mustExist?: boolean;
  readonly migrations?: readonly Migration[];
  /** Called once, when a commit has failed: from then on all writes fail, until another process opens the directory. */
  readonly onBroken?: (error: StateError) => void;
}

/**
 * Opens the state kept in a directory, which is made if it is missing, and migrates what an older version of this program
 * left there. Reads everything once, so that damage is found now. A thread must open a directory only once.
 *
 * Throws {@link StateError}: `not-writable`, `newer-version`, `corrupt`, `disk-full`, `in-use` or `io-failed`.
 */
export async function openState(directory: string, options: OpenStateOptions = {}): Promise<StateStore> {
  const { migrations = MIGRATIONS, mustExist = false, onBroken = () => {} } = options;
  refuseCutOffRestore(directory);
  if (mustExist && !isStateDirectory(directory)) throw gone(directory);
  prepareDirectory(directory);
  await checkDataFile(directory);
  const endUse = markInUse(directory);
  let lock: OpeningLock | undefined;
  let database: RootDatabase<string> | undefined;
  let reserve: Reserve | undefined;
  const close = async (): Promise<void> => {
    reserve?.close();
    if (database && lock) await closeDatabase(database, lock);
    lock?.close();
    endUse();
  };
  try {
    lock = createOpeningLock(directory);
    database = await lock.alone(() => openDatabase(directory));
    readEverything(database, directory);
    // Without this, a power failure could lose the file's directory entry, and with it every commit that was flushed.
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

function gone(directory: string): StateError {
  const advice = 'mount it again or put it back, or restart the service to start with an empty one';
  return new StateError('corrupt', directory, `the state that this service has opened is gone from here; ${advice}`);
}

/** Closes even if the lock cannot be had: at worst, another process that is just opening fails, with an error. */
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
    // The binding reads this option, but its types lack it.
    permissionsMode: 0o600,
    noSubdir: false,
    // A commit is on the disk when its promise resolves; by default it would be flushed only afterwards.
    overlappingSync: false,
    // The default creates a promise per turn of the event loop, whose rejection nobody handles when a commit fails.
    eventTurnBatching: false,
  };
  // LMDB takes an empty one as it takes none, but one that it made for root would stay root's.
  const made = makeLockFile(directory, LOCK_FILE);
  if (made !== undefined) closeSync(made);
  return open<string>(options);
}

/** Walks the whole tree: LMDB detects a damaged page only when it reads it. */
function readEverything(database: RootDatabase<string>, directory: string): void {
  try {
    for (const _ of database.getRange());
  } catch (cause) {
    // The file is mapped already, so any error is about its contents.
    const reason = messageOf(cause);
    throw damagedData(directory, reason, { cause });
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
      // LMDB's binding reuses a snapshot for a while, which may be older than another process's last commit.
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
    transact: async (work, options) => {
      assertOpen();
      const result = transact((transaction) => {
        checkVersion(transaction, directory, migrations);
        return work(transaction);
      }, options);
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
