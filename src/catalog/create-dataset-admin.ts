import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { FileLock, Holder } from '../platform/file-lock.js';
import { CatalogError, type CatalogErrorCode, damageError, stoppedError } from './catalog-error.js';
import type { GenerationChecks } from './check-threads.js';
import { compileLock } from './compile-lock.js';
import type { ChangeCounts, DatasetAdmin, ReloadResult, RollbackResult } from './dataset-admin.js';
import { DatasetsLockedError } from './datasets-lock.js';
import type { Check } from './generation-checks.js';
import { listSummaries } from './generation-summaries.js';
import {
  generationPath,
  isGenerationName,
  listGenerations,
  readCurrent,
  requirePublished,
  setCurrent,
} from './generations.js';
import { forgetAfter, previousGeneration, rollbackTarget } from './history.js';
import { pruneGenerations } from './prune.js';
import { publishLock } from './publish-lock.js';
import type { ServedDatasets } from './served-datasets.js';
import { asUnwritable, writeIn } from './unwritable.js';

export interface DatasetAdminOptions {
  readonly datasetsDir: string;
  /** The generation that the service answers from, in all of its processes. */
  readonly served: ServedDatasets;
  readonly checks: GenerationChecks;
  /**
   * The generations that prune must keep because something besides the service still reads them, such as a pending webhook
   * delivery. A pin must outlast the process that made it.
   */
  readonly pinned: () => Promise<ReadonlySet<string>>;
  /** Called after each reload that changed the live generation. */
  readonly reloaded: (reload: Reload) => Promise<void>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** How long a rollback or prune waits for another process that holds the publish lock. */
  readonly lockWaitMs?: number;
}

/** A change of the live generation. */
export interface Reload {
  readonly from: string | undefined;
  readonly to: string;
  /** Undefined if nothing was live before, or if `from` is no longer on disk. */
  readonly changes: ChangeCounts | undefined;
}

const KEEP_DEFAULT = 1;
/** Longer than a compile holds the publish lock, which it takes for its last step only. */
const LOCK_WAIT_MS = 5000;

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
  const { datasetsDir, served, checks, now } = options;
  let last: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();
  const refuseWhenStopped = (): void => stopping.signal.throwIfAborted();
  const withLock = <T>(holder: Holder, work: () => Promise<T>): Promise<T> =>
    withPublishLock(options, { holder, signal: stopping.signal }, work);
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
      checks.stop();
      await last;
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
      change(async () => {
        const published = requirePublished(datasetsDir);
        // The live generation's files may have been rewritten, in which case they are taken live: verify them first.
        if (published === (await served.live())?.generation) {
          await requireIntact(published).catch(refusing({ from: published, to: published }));
        }
        return takeLive(published, { dryRun });
      }),
    rollback: () => change(() => withLock(ROLLING_BACK, rollBack)),
    prune: ({ keep = KEEP_DEFAULT } = {}) =>
      change(() =>
        withLock(PRUNING, async () => {
          const pinned = await options.pinned();
          return writeIn(datasetsDir, () => {
            const result = pruneGenerations(datasetsDir, { keep, pinned });
            compileLock.clear(datasetsDir, PRUNING);
            return result;
          });
        }),
      ),
    verify: (name) =>
      named(async () => {
        const startedAtMs = now();
        const generation = name ?? requirePublished(datasetsDir);
        requireGeneration(datasetsDir, generation);
        const damage = await checks.verify(generationPath(datasetsDir, generation));
        return { generation, intact: damage.length === 0, damage, durationMs: Math.round(now() - startedAtMs) };
      }),
  };

  async function rollBack(): Promise<RollbackResult> {
    const [live, published] = [(await served.live())?.generation, readCurrent(datasetsDir)];
    const previous = rollbackTarget(datasetsDir, live);
    if (previous === undefined) throw new CatalogError('no-previous', 'there is no earlier generation to roll back to');
    const publish = (): void =>
      writeIn(datasetsDir, () => {
        setCurrent(datasetsDir, previous);
        forgetAfter(datasetsDir, previous, published);
      });
    const result = await takeLive(previous, { dryRun: false, publish });
    const withdrawn = published === undefined || published === live ? null : published;
    return { ...result, withdrawn, mended: published === undefined };
  }

  /** Calls `publish` once the generation is prepared and nothing can refuse it any more, before it goes live. */
  async function takeLive(
    to: string,
    { dryRun, publish = () => {} }: { readonly dryRun: boolean; readonly publish?: () => void },
  ): Promise<ReloadResult> {
    const startedAtMs = now();
    const from = (await served.live())?.generation;
    const changed = from !== to;
    const changes = changed ? await examine(from, to, { open: dryRun }).catch(refusing({ from, to })) : undefined;
    let renewed = false;
    if (!dryRun) {
      const prepared = await served.prepare(to).catch(refusing({ from, to }));
      try {
        refuseWhenStopped();
        publish();
      } catch (error) {
        await prepared.discard();
        throw error;
      }
      try {
        await prepared.commit();
        renewed = !changed && !prepared.isLive;
      } finally {
        // Even if some processes did not take it: subscribers hear of the generation that the service reports as live.
        if (changed && (await served.live())?.generation === to) await options.reloaded({ from, to, changes });
      }
    }
    const durationMs = Math.round(now() - startedAtMs);
    return { changed, renewed, dryRun, from: from ?? null, to, changes: changes ?? null, durationMs };
  }

  /** Verifies generation `to` and counts its differences from `from`. Throws {@link CatalogError}. */
  async function examine(
    from: string | undefined,
    to: string,
    { open }: Pick<Check, 'open'>,
  ): Promise<ChangeCounts | undefined> {
    requireGeneration(datasetsDir, to);
    // Someone may have removed the live generation's directory by hand; that must not block the reload.
    if (from !== undefined && listGenerations(datasetsDir).includes(from)) {
      return checks.compare(generationPath(datasetsDir, from), generationPath(datasetsDir, to), { open });
    }
    await requireIntact(to);
    return undefined;
  }

  async function requireIntact(generation: string): Promise<void> {
    const damage = await checks.verify(generationPath(datasetsDir, generation));
    if (damage.length > 0) throw damageError(damage);
  }
}

function requireGeneration(datasetsDir: string, generation: string): void {
  if (isGenerationName(generation) && listGenerations(datasetsDir).includes(generation)) return;
  throw new CatalogError('unknown-generation', `there is no generation ${generation}`);
}

/** Rethrows an error; if files are to blame, with their generation and what the service continues to answer from. */
function refusing(reload: Pick<Reload, 'from' | 'to'>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof CatalogError) || !error.damage) throw error;
    throw new CatalogError(error.code, `${whatStays(reload)}: ${error.message}`, error.damage);
  };
}

function whatStays({ from, to }: Pick<Reload, 'from' | 'to'>): string {
  if (from === to) return `the files of ${to} were not reopened; it stays live as it was opened before`;
  return `${to} was not made live; ${from === undefined ? 'nothing is live' : `${from} stays live`}`;
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

/** Named to the processes that have to wait for the lock. */
const ROLLING_BACK = 'the service’s datasets rollback';
const PRUNING = 'the service’s datasets prune';

/** Who waits for the publish lock, and the signal that ends the waiting when the service stops. */
interface Changing {
  readonly holder: Holder;
  readonly signal: AbortSignal;
}

async function withPublishLock<T>(
  options: DatasetAdminOptions,
  changing: Changing,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await lockOrBusy(options, changing);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function lockOrBusy(options: DatasetAdminOptions, changing: Changing): Promise<FileLock> {
  const { datasetsDir, lockWaitMs: waitMs = LOCK_WAIT_MS } = options;
  // Taking the lock would create the directory, in the place of one that is not mounted for example.
  if (!existsSync(datasetsDir)) throw new CatalogError('nothing-published', 'no such directory');
  try {
    return await publishLock.await(datasetsDir, { ...changing, waitMs });
  } catch (error) {
    if (!(error instanceof DatasetsLockedError)) throw asUnwritable(datasetsDir, error);
    throw new CatalogError('busy', error.message);
  }
}
