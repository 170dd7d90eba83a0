import { resolve } from 'node:path';
import { ownActor } from '../audit/audit-log.js';
import { auditReload } from '../audit/audit-reload.js';
import { CatalogError } from '../catalog/catalog-error.js';
import { createCheckThreads } from '../catalog/check-threads.js';
import { createDatasetAdmin, type OwnDatasetAdmin } from '../catalog/create-dataset-admin.js';
import type { DatasetAdmin, ReloadResult } from '../catalog/dataset-admin.js';
import type { ServedDatasets } from '../catalog/served-datasets.js';
import type { Reload } from '../catalog/take-live.js';
import { watchPublished } from '../catalog/watch.js';
import type { Config } from '../config.js';
import { describeError, type Logger } from '../log.js';
import type { StateStore } from '../state/store.js';
import type { Counters } from '../tallies/counters.js';
import { type CountOccurrence, createOccurrenceCount } from '../tallies/occurrences.js';

/** The datasets of a service, over all its processes. */
export interface Datasets {
  /** The operations for maintainers. */
  readonly admin: DatasetAdmin;
  /** Takes nothing live from now on; resolves when operations in progress have ended. They need the state until then. */
  stop(): Promise<void>;
}

/** The same, in the process that changes them. */
export interface OwnDatasets extends Datasets {
  readonly admin: OwnDatasetAdmin;
}

/** What {@link openDatasets} needs: the processes' datasets, and the state, whose audit log records their changes. */
export interface DatasetParts {
  readonly served: ServedDatasets;
  readonly state: StateStore;
  /** Those of the process that changes the datasets. */
  readonly counters: Counters;
}

/** The other part of a service that reads generations: the delivery of webhooks. */
export interface GenerationReaders {
  /** The generations that deliveries still need. */
  readonly pinned: () => Promise<ReadonlySet<string>>;
  /** Called after each reload that has changed the live generation. */
  readonly reloaded: (reload: Reload) => Promise<void>;
}

/** Readers that are attached once the service runs; until then, it has none. */
export function lateReaders(): GenerationReaders & { attach(readers: GenerationReaders): void } {
  let attached = NO_READERS;
  return {
    pinned: () => attached.pinned(),
    reloaded: (reload) => attached.reloaded(reload),
    attach: (readers) => {
      attached = readers;
    },
  };
}

const NO_READERS: GenerationReaders = {
  pinned: () => Promise.resolve(new Set()),
  reloaded: () => Promise.resolve(),
};

/** Opens the datasets for maintainers. With `WATCH_DATASETS`, later publications are taken live automatically. */
export function openDatasets(
  { datasetsDir: configuredDir, watchDatasets }: Pick<Config, 'datasetsDir' | 'watchDatasets'>,
  logger: Logger,
  { served, state, counters }: DatasetParts,
  readers: GenerationReaders = NO_READERS,
): OwnDatasets {
  // As an absolute path, since it is shown to maintainers, who may work in another directory.
  const datasetsDir = resolve(configuredDir);
  const uncounted = createDatasetAdmin({
    datasetsDir,
    served,
    checks: createCheckThreads(),
    pinned: readers.pinned,
    reloaded: async (reload) => {
      logReload(reload, logger);
      await readers.reloaded(reload);
    },
    now: () => performance.now(),
  });
  const admin = countingReloads(uncounted, createOccurrenceCount(counters));
  const watch = (): (() => void) =>
    watchPublished({
      datasetsDir,
      // Serialized with maintainers' operations: not in the middle of a rollback, for example.
      live: () => admin.inTurn(async () => (await served.live())?.generation),
      reload: (again) => reloadPublished({ admin, state }, again),
      failed: (generation, reason) =>
        logger.error(
          { event: 'reload-refused', directory: datasetsDir, generation, reason },
          'the published dataset cannot be made live',
        ),
    });
  const stopWatching = watchDatasets ? watch() : () => {};
  return {
    admin,
    stop: async () => {
      stopWatching();
      await admin.stop();
    },
  };
}

/**
 * The same operations. Their reloads and rollbacks are counted by outcome, whoever asks for them; not dry runs, nor what is
 * given up because the service stops.
 */
export function countingReloads<T extends DatasetAdmin>(admin: T, count: CountOccurrence): T {
  const counted = async <R>(work: Promise<R>): Promise<R> => {
    try {
      const result = await work;
      count('reload-done');
      return result;
    } catch (error) {
      if (!isStopped(error)) count('reload-refused');
      throw error;
    }
  };
  return {
    ...admin,
    reload: (options) => (options?.dryRun ? admin.reload(options) : counted(admin.reload(options))),
    rollback: () => counted(admin.rollback()),
  };
}

/**
 * Reloads for the watch, as which the audit log records it. Of a reload that is retried, the audit log gets only the first
 * attempt and the one that succeeds.
 */
async function reloadPublished({ admin, state }: Omit<UnattendedReload, 'logger'>, again: boolean): Promise<void> {
  const audited = (work: () => Promise<ReloadResult>): Promise<ReloadResult> => auditOwn(state, 'watch', work);
  if (!again) {
    await audited(() => admin.reload());
    return;
  }
  // Recorded even if nothing has changed: some processes may have taken the generation in the first attempt.
  const result = await admin.reload();
  await audited(() => Promise.resolve(result));
}

export interface UnattendedReload {
  readonly admin: DatasetAdmin;
  readonly state: StateStore;
  readonly logger: Logger;
}

/** Reloads for a signal. Its sender cannot be given the outcome, so the log and the audit log get it. Never throws. */
export async function reloadOnSignal({ admin, state, logger }: UnattendedReload): Promise<void> {
  try {
    const { changed, renewed, to } = await auditOwn(state, 'signal', () => admin.reload());
    if (renewed)
      logger.info({ event: 'reload-renewed', generation: to }, 'the files of the live dataset were reopened');
    else if (!changed) {
      logger.info({ event: 'reload-unchanged', generation: to }, 'the published dataset is already live');
    }
  } catch (error) {
    if (error instanceof CatalogError) logRefusal(error, logger, 'reload');
    else logger.error(describeError(error), 'the dataset could not be reloaded');
  }
}

/** The same operations for the admin plane: the log gets its refused reloads and rollbacks, like those of a signal. */
export function loggingRefusals(admin: DatasetAdmin, logger: Logger): DatasetAdmin {
  const logging = (what: 'reload' | 'rollback') => {
    return (error: unknown): never => {
      // The plane itself logs what is unexpected.
      if (error instanceof CatalogError) logRefusal(error, logger, what);
      throw error;
    };
  };
  return {
    ...admin,
    // A dry run is to change nothing, so its outcome is for its caller alone.
    reload: (options) => (options?.dryRun ? admin.reload(options) : admin.reload(options).catch(logging('reload'))),
    rollback: () => admin.rollback().catch(logging('rollback')),
  };
}

function auditOwn(
  state: StateStore,
  cause: 'signal' | 'watch',
  work: () => Promise<ReloadResult>,
): Promise<ReloadResult> {
  return auditReload({ state, now: () => new Date() }, { actor: ownActor(cause), action: 'datasets.reload' }, work);
}

function logRefusal(error: CatalogError, logger: Logger, what: 'reload' | 'rollback'): void {
  const { code, message: reason } = error;
  logger[isStopped(error) ? 'info' : 'error']({ event: 'reload-refused', code, reason }, `the ${what} was refused`);
}

/** Whether something was refused because the service stops, which is no error. */
function isStopped(error: unknown): boolean {
  return error instanceof CatalogError && error.code === 'stopped';
}

function logReload({ from, to, changes }: Reload, logger: Logger): void {
  logger.info({ event: 'reloaded', from, to, ...changes }, 'a new dataset is live');
}
