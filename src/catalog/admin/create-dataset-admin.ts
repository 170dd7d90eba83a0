import { setImmediate } from 'node:timers/promises';
import type { Holder } from '../../platform/file-lock.js';
import { isFileSystemError } from '../../platform/file-system-error.js';
import { CatalogError, type CatalogErrorCode, stoppedError } from '../directory/catalog-error.js';
import { compileLock } from '../directory/compile-lock.js';
import { unlessLocked } from '../directory/datasets-lock.js';
import {
  generationPath,
  readCurrent,
  requireGeneration,
  requirePublished,
  setCurrent,
} from '../directory/generations.js';
import { forgetAfter, previousGeneration, rollbackTarget } from '../directory/history.js';
import { noteRollback } from '../directory/withdrawn.js';
import type { DatasetAdmin, RollbackResult } from './dataset-admin.js';
import { listSummaries } from './generation-summaries.js';
import { pruneGenerations } from './prune.js';
import { createTakeLive, type TakeLiveOptions } from './take-live.js';
import { asUnwritable } from './unwritable.js';
import { withPublishLock } from './with-publish-lock.js';

export interface DatasetAdminOptions extends TakeLiveOptions {
  /**
   * The generations that prune must keep because something besides the service still reads them, such as a pending webhook
   * delivery. A pin must outlast the process that made it.
   */
  readonly pinned: () => Promise<ReadonlySet<string>>;
  /** How long a rollback or prune waits for another process that holds the publish lock. */
  readonly lockWaitMs?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

const KEEP_DEFAULT = 1;
/** Longer than a compile holds the publish lock, which it takes for its last step only. */
const LOCK_WAIT_MS = 5000;
/** Named to the processes that have to wait for the publish lock. */
const ROLLING_BACK = 'datasets rollback of the service';
const PRUNING = 'datasets prune of the service';

/** The dataset admin of the process that decides which generation a service answers from. */
export interface OwnDatasetAdmin extends DatasetAdmin {
  /** Queues other work with the maintainers' operations, so that it never runs concurrently with one of them. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Takes nothing live from now on, and refuses new and queued operations as `stopped`. Resolves when the operation in
   * progress has ended; for it to end soon, the candidates being prepared must be closed as well.
   */
  stop(): Promise<void>;
}

/** Serializes its callers' changes: each operation sees the effects of the ones before it. */
export function createDatasetAdmin(options: DatasetAdminOptions): OwnDatasetAdmin {
  const { datasetsDir, served, checks, now, lockWaitMs: waitMs = LOCK_WAIT_MS } = options;
  let last: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();
  const refuseWhenStopped = (): void => stopping.signal.throwIfAborted();
  const { takeLive, verifyLive } = createTakeLive(options, refuseWhenStopped);
  const withLock = <T>(holder: Holder, work: () => Promise<T>): Promise<T> =>
    withPublishLock(datasetsDir, { holder, waitMs, signal: stopping.signal }, work);
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(async () => {
      refuseWhenStopped();
      return await work().catch((error: unknown) => {
        // While the service stops, its other processes end too: that is not a failure of the generation.
        if (error instanceof CatalogError && error.code === 'not-everywhere') refuseWhenStopped();
        throw error;
      });
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  const named = <T>(work: () => Promise<T>): Promise<T> => namingDirectory(datasetsDir, work);
  const change = <T>(work: () => Promise<T>): Promise<T> => named(() => inTurn(work));

  return {
    inTurn,
    stop: async () => {
      stopping.abort(stoppedError());
      await Promise.all([checks.stop(), last]);
      // Lets the caller of the last operation record its outcome first.
      await setImmediate();
    },
    list: () => named(() => listSummaries(options)),
    current: () =>
      named(async () => {
        const live = await served.live();
        const previous = previousGeneration(datasetsDir, live?.generation) ?? null;
        return { live: live ?? null, published: readCurrent(datasetsDir) ?? null, previous };
      }),
    reload: ({ dryRun = false } = {}) =>
      change(() =>
        timed(async () => {
          const published = requirePublished(datasetsDir);
          // The live generation's files may have been rewritten, in which case they are taken live: verify them first.
          if (published === (await served.live())?.generation) await verifyLive(published);
          return takeLive(published, { dryRun });
        }),
      ),
    rollback: () => change(() => withLock(ROLLING_BACK, rollBack)),
    prune: ({ keep = KEEP_DEFAULT } = {}) =>
      change(() =>
        withLock(PRUNING, async () => {
          const [live, pinned] = [(await served.live())?.generation, await options.pinned()];
          try {
            const result = await pruneGenerations(datasetsDir, { keep, live, pinned });
            // Clears the leftovers of killed compiles, unless a compile is running.
            const compiling = compileLock.await(datasetsDir, { holder: PRUNING, waitMs: 0 });
            (await compiling.catch(unlessLocked))?.release();
            return result;
          } catch (error) {
            throw asUnwritable(datasetsDir, error);
          }
        }),
      ),
    verify: (name) =>
      named(() =>
        timed(async () => {
          const generation = name ?? requirePublished(datasetsDir);
          requireGeneration(datasetsDir, generation);
          const damage = await checks.verify(generationPath(datasetsDir, generation));
          // It may have been pruned meanwhile.
          if (damage.length > 0) requireGeneration(datasetsDir, generation);
          return { generation, intact: damage.length === 0, damage };
        }),
      ),
  };

  async function timed<T extends object>(work: () => Promise<T>): Promise<T & { readonly durationMs: number }> {
    const startedAtMs = now();
    const result = await work();
    return { ...result, durationMs: Math.round(now() - startedAtMs) };
  }

  async function rollBack(): Promise<RollbackResult> {
    const [live, published] = [(await served.live())?.generation, readCurrent(datasetsDir)];
    const previous = rollbackTarget(datasetsDir, live);
    if (previous === undefined) throw new CatalogError('no-previous', 'there is no earlier generation to roll back to');
    const publish = (): void => {
      try {
        noteRollback(datasetsDir, published, previous);
        setCurrent(datasetsDir, previous);
        forgetAfter(datasetsDir, previous, published);
      } catch (error) {
        // Once CURRENT names it, it goes live whatever failed, such as a full disk for HISTORY, as if this had been cut off
        // there: were the former one to stay live, the next rollback would go back to that, and withdraw this one.
        if (!isFileSystemError(error) || readCurrent(datasetsDir) !== previous) throw asUnwritable(datasetsDir, error);
      }
    };
    const result = await timed(() => takeLive(previous, { dryRun: false, publish }));
    const withdrawn = published === undefined || published === live ? null : published;
    return { ...result, withdrawn, mended: published === undefined };
  }
}

const OF_THE_DIRECTORY: ReadonlySet<CatalogErrorCode> = new Set(['nothing-published', 'unreadable']);

/** Adds the directory to errors about no generation in particular: the maintainer may have configured the wrong one. */
async function namingDirectory<T>(datasetsDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CatalogError) || error.damage || !OF_THE_DIRECTORY.has(error.code)) throw error;
    throw new CatalogError(error.code, `${datasetsDir}: ${error.message}`);
  }
}
