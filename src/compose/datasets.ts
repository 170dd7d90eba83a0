import { ownActor } from '../audit/audit-log.js';
import { auditReload } from '../audit/audit-reload.js';
import type { Catalog, CatalogEvents } from '../catalog/catalog.js';
import { createCheckThreads } from '../catalog/check-threads.js';
import { createDatasetAdmin, type OwnDatasetAdmin, type Reload } from '../catalog/create-dataset-admin.js';
import { CatalogError, type DatasetAdmin, type LiveGeneration } from '../catalog/dataset-admin.js';
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
  /** Ends what looks for new generations. */
  stop(): void;
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
      return Promise.resolve(live && since && describeLive(live.dataset, since));
    },
  };
}

function describeLive({ generation, tracts }: Dataset, since: Date): LiveGeneration {
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

/** Why nothing is live, for the log. */
export function absenceEvents(logger: Logger): Pick<CatalogEvents<unknown>, 'nothingPublished' | 'failed'> {
  return {
    nothingPublished: () => logger.warn('no dataset is published; the first one will be taken'),
    failed: (generation, reason) => logger.error({ generation, reason }, 'the published dataset cannot be opened'),
  };
}

const NO_READERS: GenerationReaders = {
  pinned: () => Promise.resolve(new Set()),
  reloaded: () => Promise.resolve(),
};

/** With `WATCH_DATASETS` it takes live, by itself, what is published from now on. */
export function openDatasets(
  { datasetsDir, watchDatasets }: Pick<Config, 'datasetsDir' | 'watchDatasets'>,
  logger: Logger,
  { served, state }: DatasetParts,
  readers: GenerationReaders = NO_READERS,
): OwnDatasets {
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
  const reload = (): Promise<void> => reloadUnattended({ admin, state, logger }, 'watch');
  const stop = watchDatasets ? watchPublished({ datasetsDir, reload }) : () => {};
  return { admin, stop };
}

export interface UnattendedReload {
  readonly admin: DatasetAdmin;
  readonly state: StateStore;
  readonly logger: Logger;
}

/**
 * Reloads for what cannot be told what became of it: a signal, or the watch on publications. The log has it, and the audit log
 * under that name. Never throws.
 */
export async function reloadUnattended(
  { admin, state, logger }: UnattendedReload,
  cause: 'signal' | 'watch',
): Promise<void> {
  try {
    // A publication that is live already, such as one that a maintainer went back to, is nothing that the watch did.
    if (cause === 'watch' && (await isPublishedLive(admin))) return;
    const facts = { actor: ownActor(cause), action: 'datasets.reload' } as const;
    const { changed, to } = await auditReload({ state, now: () => new Date() }, facts, () => admin.reload());
    if (!changed) logger.info({ event: 'reload-unchanged', generation: to }, 'the published dataset is live already');
  } catch (error) {
    if (!(error instanceof CatalogError)) logger.error(describeError(error), 'the dataset could not be reloaded');
    else logger.error({ event: 'reload-refused', code: error.code, reason: error.message }, 'the reload was refused');
  }
}

async function isPublishedLive(admin: DatasetAdmin): Promise<boolean> {
  const { live, published } = await admin.current();
  return live !== null && live.generation === published;
}

function logReload({ from, to, changes }: Reload, logger: Logger): void {
  logger.info({ event: 'reloaded', from, to, ...changes }, 'another dataset is live');
}
