import type { Catalog } from './catalog/catalog.js';
import { createCheckThreads } from './catalog/check-threads.js';
import { createDatasetAdmin, type Reload } from './catalog/create-dataset-admin.js';
import { CatalogError, type DatasetAdmin, type LiveGeneration } from './catalog/dataset-admin.js';
import { countChanges } from './catalog/diff.js';
import type { ServedDatasets } from './catalog/served-datasets.js';
import { watchPublished } from './catalog/watch.js';
import type { Config } from './config.js';
import type { Dataset } from './format/dataset.js';
import type { Generation } from './http/generation.js';
import { describeError, type Logger } from './log.js';

/** The datasets of a service, of all of its processes together. */
export interface Datasets {
  /** For its maintainers. */
  readonly admin: DatasetAdmin;
  /** Ends what looks for new generations. */
  stop(): void;
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
      return Promise.resolve(live && since && describeLive(live.dataset, since));
    },
  };
}

function describeLive({ generation, tracts }: Dataset, since: Date): LiveGeneration {
  const { states, synthetic } = tracts.description;
  return { generation, since: since.toISOString(), tracts: tracts.tractCount, states: states.length, synthetic };
}

const NO_READERS: GenerationReaders = {
  pinned: () => Promise.resolve(new Set()),
  reloaded: () => Promise.resolve(),
};

/** With `WATCH_DATASETS` it takes live, by itself, what is published from now on. */
export function openDatasets(
  { datasetsDir, watchDatasets }: Pick<Config, 'datasetsDir' | 'watchDatasets'>,
  logger: Logger,
  served: ServedDatasets,
  readers: GenerationReaders = NO_READERS,
): Datasets {
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
  const stop = watchDatasets ? watchPublished({ datasetsDir, reload: () => reloadAndLog(admin, logger) }) : () => {};
  return { admin, stop };
}

/** Reloads for whoever cannot be told what became of it. Never throws. */
export async function reloadAndLog(admin: DatasetAdmin, logger: Logger): Promise<void> {
  try {
    const { changed, to } = await admin.reload();
    if (!changed) logger.info({ event: 'reload-unchanged', generation: to }, 'the published dataset is live already');
  } catch (error) {
    if (!(error instanceof CatalogError)) logger.error(describeError(error), 'the dataset could not be reloaded');
    else
      logger.error({ event: 'reload-refused', code: error.code, reason: error.message }, 'the old dataset stays live');
  }
}

function logReload({ from, to, diff }: Reload, logger: Logger): void {
  const changes = diff && countChanges(diff);
  logger.info({ event: 'reloaded', from, to, ...changes }, 'another dataset is live');
}
