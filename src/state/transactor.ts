import type { RootDatabase } from 'lmdb';
import type { OpeningLock } from './opening-lock.js';
import type { Reserve } from './reserve.js';
import { StateError, toStateError } from './state-error.js';
import type { StateStore, Transaction } from './store.js';
import { openView } from './view.js';

export interface TransactorOptions {
  readonly database: RootDatabase<string>;
  readonly directory: string;
  readonly reserve: Reserve;
  readonly lock: OpeningLock;
  /** Called once, when a commit has failed: this process cannot write any more. */
  readonly onBroken: (error: StateError) => void;
}

/**
 * Runs functions in LMDB's write transactions. Each runs in a nested transaction of its own, so that only its writes are
 * undone if it throws, while functions that are passed at the same time share a commit and its flush. Waiting for other
 * processes and for the disk happens on LMDB's thread.
 */
export function createTransactor(options: TransactorOptions): StateStore['transact'] {
  const { database, directory, reserve, lock, onBroken } = options;
  let failure: StateError | undefined;
  const transact = async <T>(work: Work<T>, isUrgent: boolean): Promise<T> => {
    // After a failed commit, LMDB's lock may stay held for ever: an error is better than an endless wait.
    if (failure) throw failure;
    let outcome: { readonly value: T } | { readonly thrown: unknown } | undefined;
    try {
      await database.childTransaction(() => {
        try {
          outcome = { value: runIn(work, isUrgent) };
        } catch (error) {
          outcome = { thrown: error };
          throw error;
        }
      });
    } catch (error) {
      if (outcome && 'thrown' in outcome) throw outcome.thrown;
      const cause = await causeOf(error);
      const told = toStateError(directory, cause);
      if (!failure) onBroken(told);
      failure = new StateError(
        'io-failed',
        directory,
        'a write failed; restart the service once the disk works again',
        { cause },
      );
      throw told;
    }
    if (outcome && 'value' in outcome) return outcome.value;
    throw new StateError('io-failed', directory, 'a transaction did not run');
  };
  const runIn = <T>(work: Work<T>, isUrgent: boolean): T => {
    const view = openView(database, directory);
    try {
      const value = work(view);
      if (value instanceof Promise) throw new TypeError('a transaction must not wait: its function returned a promise');
      if (view.writes.count > 0) reserve.ensure(view.writes, isUrgent);
      return value;
    } finally {
      view.end();
    }
  };
  return async (work, { isUrgent = false } = {}) => {
    await lock.enter();
    try {
      return await transact(work, isUrgent);
    } finally {
      lock.leave();
    }
  };
}

type Work<T> = (transaction: Transaction) => T;

/** Why a commit failed: LMDB's binding tells it by a rejected promise on the error. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  try {
    await error.commitError;
    return error;
  } catch (cause) {
    return cause;
  }
}
