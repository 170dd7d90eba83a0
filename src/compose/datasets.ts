import { resolve } from 'node:path';
import { ownActor } from '../audit/audit-log.js';
import { auditReload } from '../audit/audit-reload.js';
import type { Catalog } from '../catalog/catalog.js';
import { CatalogError } from '../catalog/catalog-error.js';
import { createCheckThreads } from '../catalog/check-threads.js';
import { createDatasetAdmin, type OwnDatasetAdmin, type Reload } from '../catalog/create-dataset-admin.js';
import type { DatasetAdmin, LiveGeneration, ReloadResult } from '../catalog/dataset-admin.js';
import type { PublicationEvents } from '../catalog/published.js';
import type { ServedDatasets } from '../catalog/served-datasets.js';
import { watchPublished } from '../catalog/watch.js';
import type { Config } from '../config.js';
import type { Dataset } from '../format/dataset.js';
import type { Generation } from '../http/generation.js';
import { describeError, type Logger } from '../log.js';
import type { StateStore } from '../state/store.js';

/** The datasets of a service, of all of its processes together. */
export interface Datasets {
  /** For its maintainers. */
  readonly admin: DatasetAdmin;
  /** Takes nothing live from now on; resolves when what is under way has ended. The state is still needed until then. */
  stop(): Promise<void>;
}

/** The same, where they are changed. */
export interface OwnDatasets extends Datasets {
  readonly admin: OwnDatasetAdmin;
}

/** What datasets are made of: what answers from them, and the state, whose audit log tells of their changes. */
export interface DatasetParts {
  readonly served: ServedDatasets;
  readonly state: StateStore;
}

/** What reads generations beside the service itself. */
export interface GenerationReaders {
  /** The generations that a delivery still needs. */
  readonly pinned: () => Promise<ReadonlySet<string>>;
  /** Told of each reload that changed what is live, after it did. */
  readonly reloaded: (reload: Reload) => Promise<void>;
}

/** Readers that come to a service that runs already; until then it has none. */
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

/** The datasets of one process. */
export function servedBy(catalog: Catalog<Generation>): ServedDatasets {
  return {
    prepare: catalog.prepare,
    live: () => {
      const [live, since] = [catalog.current(), catalog.since()];
      return Promise.resolve(live && since && liveForMaintainers(live.dataset, since));
    },
  };
}

function liveForMaintainers({ generation, tracts }: Dataset, since: Date): LiveGeneration {
  const { states, synthetic, loadedSources: sources } = tracts.description;
  return {
    generation,
    since: since.toISOString(),
    tracts: tracts.tractCount,
    states: states.length,
    synthetic,
    sources,
  };
}

/** Why nothing is live, for the log: with the directory in full, which may be another than was meant. */
export function absenceEvents(logger: Logger, datasetsDir: string): PublicationEvents {
  const directory = resolve(datasetsDir);
  return {
    nothingPublished: () => logger.warn({ directory }, 'no dataset is published; the first one will be taken'),
    failed: (generation, reason) =>
      logger.error({ directory, generation, reason }, 'the published dataset cannot be opened'),
  };
}

const NO_READERS: GenerationReaders = {
  pinned: () => Promise.resolve(new Set()),
  reloaded: () => Promise.resolve(),
};

/** With `WATCH_DATASETS` it takes live, by itself, what is published from now on. */
export function openDatasets(
  { datasetsDir: configuredDir, watchDatasets }: Pick<Config, 'datasetsDir' | 'watchDatasets'>,
  logger: Logger,
  { served, state }: DatasetParts,
  readers: GenerationReaders = NO_READERS,
): OwnDatasets {
  // In full: maintainers, who are told of it, may be elsewhere.
  const datasetsDir = resolve(configuredDir);
  const admin = createDatasetAdmin({
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
  const watch = (): (() => void) =>
    watchPublished({
      datasetsDir,
      // Not in the midst of what a maintainer asked for, such as going back.
      live: () => admin.inTurn(async () => (await served.live())?.generation),
      reload: (again) => reloadPublished({ admin, state }, again),
      failed: (generation, reason) =>
        logger.error(
          { event: 'reload-refused', directory: datasetsDir, generation, reason },
          'what is published cannot be taken live',
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
 * Reloads for the watch. The audit log has it under that name; of what is tried again it has the first attempt, and
 * what succeeds.
 */
async function reloadPublished({ admin, state }: Omit<UnattendedReload, 'logger'>, again: boolean): Promise<void> {
  const audited = (work: () => Promise<ReloadResult>): Promise<ReloadResult> => auditOwn(state, 'watch', work);
  if (!again) {
    await audited(() => admin.reload());
    return;
  }
  // Also where nothing has changed: some processes may have taken it the first time.
  const result = await admin.reload();
  await audited(() => Promise.resolve(result));
}

export interface UnattendedReload {
  readonly admin: DatasetAdmin;
  readonly state: StateStore;
  readonly logger: Logger;
}

/** Reloads for a signal, which cannot be told what became of it: the logs are. Never throws. */
export async function reloadOnSignal({ admin, state, logger }: UnattendedReload): Promise<void> {
  try {
    const { changed, to } = await auditOwn(state, 'signal', () => admin.reload());
    if (!changed) logger.info({ event: 'reload-unchanged', generation: to }, 'the published dataset is live already');
  } catch (error) {
    logRefusal(error, logger);
  }
}

function auditOwn(
  state: StateStore,
  cause: 'signal' | 'watch',
  work: () => Promise<ReloadResult>,
): Promise<ReloadResult> {
  return auditReload({ state, now: () => new Date() }, { actor: ownActor(cause), action: 'datasets.reload' }, work);
}

function logRefusal(error: unknown, logger: Logger): void {
  if (!(error instanceof CatalogError)) {
    logger.error(describeError(error), 'the dataset could not be reloaded');
    return;
  }
  const facts = { event: 'reload-refused', code: error.code, reason: error.message };
  // A stop is no fault.
  logger[error.code === 'stopped' ? 'info' : 'error'](facts, 'the reload was refused');
}

function logReload({ from, to, changes }: Reload, logger: Logger): void {
  logger.info({ event: 'reloaded', from, to, ...changes }, 'another dataset is live');
}
