import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { FileLock, Holder } from '../platform/file-lock.js';
import { CatalogError, damageError, stoppedError } from './catalog-error.js';
import type { GenerationChecks } from './check-threads.js';
import { compileLock } from './compile-lock.js';
import type { ChangeCounts, DatasetAdmin, ReloadResult, RollbackResult } from './dataset-admin.js';
import { DatasetsLockedError } from './datasets-lock.js';
import { listSummaries } from './generation-summaries.js';
import {
  absentCurrent,
  generationPath,
  isGenerationName,
  listGenerations,
  readCurrent,
  readPublished,
  setCurrent,
} from './generations.js';
import { forgetAfter, previousGeneration, rollbackTarget } from './history.js';
import { pruneGenerations } from './prune.js';
import { publishLock } from './publish-lock.js';
import type { ServedDatasets } from './served-datasets.js';
import { asUnwritable, writeIn } from './unwritable.js';

export interface DatasetAdminOptions {
  readonly datasetsDir: string;
  /** What the service answers from, in all of its processes. */
  readonly served: ServedDatasets;
  readonly checks: GenerationChecks;
  /**
   * The generations that something beside the service still reads, such as a delivery that is under way: prune keeps
   * them. Must outlast the process that they were pinned by.
   */
  readonly pinned: () => Promise<ReadonlySet<string>>;
  /** Told of each reload that changed what is live, after it did. */
  readonly reloaded: (reload: Reload) => Promise<void>;
  /** Milliseconds of a clock that only goes on. */
  readonly now: () => number;
  /** How long a change waits for one that another process makes. */
  readonly lockWaitMs?: number;
}

/** A generation that has taken another's place. */
export interface Reload {
  readonly from: string | undefined;
  readonly to: string;
  /** Undefined where nothing was live before, or where that is not on disk any more. */
  readonly changes: ChangeCounts | undefined;
}

const KEEP_DEFAULT = 1;
/** More than a compile takes for its last step. */
const LOCK_WAIT_MS = 5000;

/** Where the datasets of a service are changed. */
export interface OwnDatasetAdmin extends DatasetAdmin {
  /** Does something between what maintainers ask for, never beside it. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Takes nothing live from now on, and refuses what is asked, and what waits for its turn, as `stopped`. Resolves when
   * what is under way has ended, which whoever prepares generations is to be told to give up, too.
   */
  stop(): Promise<void>;
}

/** What one caller after the other does: whoever comes second sees what the first one did. */
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
        // Processes that end beside this one are no fault of the generation's.
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
      // Whoever waited for it writes down what became of it.
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
        // Of what is live already the files may have been written anew, and would be taken.
        if (published === (await served.live())?.generation) await requireIntact(published);
        return takeLive(published, { dryRun });
      }),
    rollback: () => change(() => withLock(ROLLING_BACK, rollBack)),
    prune: ({ keep = KEEP_DEFAULT } = {}) =>
      change(async () => {
        // The lock would make an empty one in its place.
        if (!existsSync(datasetsDir))
          throw new CatalogError('nothing-published', `there is no directory ${datasetsDir}`);
        return withLock(PRUNING, async () => {
          const pinned = await options.pinned();
          return writeIn(datasetsDir, () => {
            const result = pruneGenerations(datasetsDir, { keep, pinned });
            compileLock.clear(datasetsDir, PRUNING);
            return result;
          });
        });
      }),
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
    if (previous === undefined) throw new CatalogError('no-previous', 'there is no earlier generation to go back to');
    const publish = (): void =>
      writeIn(datasetsDir, () => {
        setCurrent(datasetsDir, previous);
        forgetAfter(datasetsDir, previous, published);
      });
    const result = await takeLive(previous, { dryRun: false, publish });
    const withdrawn = published === undefined || published === live ? null : published;
    return { ...result, withdrawn, mended: published === undefined };
  }

  /** `publish` is called between the preparation and the change, when nothing is in the way any more. */
  async function takeLive(
    to: string,
    { dryRun, publish = () => {} }: { readonly dryRun: boolean; readonly publish?: () => void },
  ): Promise<ReloadResult> {
    const startedAtMs = now();
    const from = (await served.live())?.generation;
    const changed = from !== to;
    const refusing = (error: unknown): never => {
      throw asRefusal(error, { from, to });
    };
    const changes = changed ? await examine(from, to).catch(refusing) : undefined;
    if (!dryRun) {
      const prepared = await served.prepare(to).catch(refusing);
      try {
        refuseWhenStopped();
        publish();
      } catch (error) {
        await prepared.discard();
        throw error;
      }
      try {
        await prepared.commit();
      } finally {
        // Also where some processes did not take it: what the service says is live is what others are to be told of.
        if (changed && (await served.live())?.generation === to) await options.reloaded({ from, to, changes });
      }
    }
    const durationMs = Math.round(now() - startedAtMs);
    return { changed, dryRun, from: from ?? null, to, changes: changes ?? null, durationMs };
  }

  /** Verifies a generation, and compares it with the one before. Throws {@link CatalogError}. */
  async function examine(from: string | undefined, to: string): Promise<ChangeCounts | undefined> {
    requireGeneration(datasetsDir, to);
    // Someone may have removed it by hand. It is live all the same, and must not be in the way.
    if (from !== undefined && listGenerations(datasetsDir).includes(from)) {
      return checks.compare(generationPath(datasetsDir, from), generationPath(datasetsDir, to));
    }
    await requireIntact(to);
    return undefined;
  }

  async function requireIntact(generation: string): Promise<void> {
    const damage = await checks.verify(generationPath(datasetsDir, generation));
    if (damage.length > 0) throw damageError(damage);
  }
}

function requirePublished(datasetsDir: string): string {
  const published = readPublished(datasetsDir);
  if (published === undefined) throw new CatalogError('nothing-published', 'no dataset is published');
  if (!listGenerations(datasetsDir).includes(published)) throw absentCurrent(published);
  return published;
}

function requireGeneration(datasetsDir: string, generation: string): void {
  if (isGenerationName(generation) && listGenerations(datasetsDir).includes(generation)) return;
  throw new CatalogError('unknown-generation', `there is no generation ${generation}`);
}

/** Of files that are to blame people are told whose they are, and what the service answers from all the same. */
function asRefusal(error: unknown, { from, to }: Pick<Reload, 'from' | 'to'>): unknown {
  if (!(error instanceof CatalogError) || !error.damage) return error;
  const stays = from === undefined ? 'nothing is live' : `${from} stays live`;
  return new CatalogError(error.code, `${to} is not taken live, and ${stays}: ${error.message}`, error.damage);
}

/** Whoever looks for a dataset in vain may have named another directory than was meant, and is told which. */
async function namingDirectory<T>(datasetsDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CatalogError) || error.code !== 'nothing-published') throw error;
    throw new CatalogError(error.code, `${datasetsDir}: ${error.message}`);
  }
}

/** What others are told who have to wait. */
const ROLLING_BACK = 'datasets rollback of the service';
const PRUNING = 'datasets prune of the service';

/** Whoever changes what is published, for as long as the service goes on. */
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
  try {
    return await publishLock.await(datasetsDir, { ...changing, waitMs });
  } catch (error) {
    if (!(error instanceof DatasetsLockedError)) throw asUnwritable(datasetsDir, error);
    throw new CatalogError('busy', error.message);
  }
}
