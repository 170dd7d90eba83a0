import { resolve } from 'node:path';
import { createCheckThreads } from '../catalog/admin/check-threads.js';
import { createDatasetAdmin, type OwnDatasetAdmin } from '../catalog/admin/create-dataset-admin.js';
import type { DatasetAdmin } from '../catalog/admin/dataset-admin.js';
import type { ServedDatasets } from '../catalog/admin/served-datasets.js';
import type { Reload } from '../catalog/admin/take-live.js';
import { watchPublished } from '../catalog/watch.js';
import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import type { StateStore } from '../state/store.js';
import type { Counters } from '../tallies/counters.js';
import { createOccurrenceCount } from '../tallies/occurrences.js';
import type { GenerationReaders } from './generation-readers.js';
import { countingReloads } from './reload-outcomes.js';
import { reloadPublished } from './unattended-reloads.js';

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
export interface DatasetDeps {
  readonly served: ServedDatasets;
  readonly state: StateStore;
  /** Those of the process that changes the datasets. */
  readonly counters: Counters;
}

/** Opens the datasets for maintainers. With `WATCH_DATASETS`, later publications are taken live automatically. */
export function openDatasets(
  { datasetsDir: configuredDir, watchDatasets }: Pick<Config, 'datasetsDir' | 'watchDatasets'>,
  logger: Logger,
  { served, state, counters }: DatasetDeps,
  readers: GenerationReaders,
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

function logReload({ from, to, changes }: Reload, logger: Logger): void {
  logger.info({ event: 'reloaded', from, to, ...changes }, 'a new dataset is live');
}
