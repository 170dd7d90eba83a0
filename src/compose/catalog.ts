import { resolve } from 'node:path';
import type { LiveGeneration } from '../catalog/admin/dataset-admin.js';
import type { ServedDatasets } from '../catalog/admin/served-datasets.js';
import { type Catalog, openCatalog } from '../catalog/catalog.js';
import type { PublicationEvents } from '../catalog/published.js';
import type { Config } from '../config.js';
import { ageSources } from '../core/loaded-source.js';
import { NAMES_EDITION } from '../core/streets/names-edition.js';
import type { Dataset } from '../format/dataset.js';
import {
  type Generation,
  type GenerationOptions,
  type OpenGeneration,
  openForServing,
  openForServingBeside,
} from '../http/generation.js';
import type { LiveDataset } from '../http/metrics/report.js';
import { describeError, type Logger } from '../log.js';
import { createThreads } from '../pool/threads.js';
import type { CountOccurrence } from '../tallies/occurrences.js';

/** Given to one of several processes, which answers from the generation that all others do. */
export interface Following {
  /** The generation to begin with; undefined if there is none yet. */
  readonly first: string | undefined;
}

export interface LiveCatalogOptions {
  readonly count: CountOccurrence;
  readonly following?: Following | undefined;
}

/** Opens the datasets directory, whose live generation requests are answered from, and the threads that search it. */
export function openLiveCatalog(
  config: Config,
  logger: Logger,
  { count, following }: LiveCatalogOptions,
): Catalog<OpenGeneration> {
  const threads = createThreads({
    most: config.workerThreads,
    onThreadError: (error) => {
      count('worker-thread-ended');
      logger.error(describeError(error), 'a worker thread failed');
    },
  });
  const options: GenerationOptions = {
    threads,
    queueMaxTasks: config.queueMaxTasks,
    timeoutMs: config.queryTimeoutMs,
    onAddressesError: (error) => logger.error(describeError(error), 'the address ranges cannot be read'),
  };
  const catalog = openCatalog({
    datasetsDir: config.datasetsDir,
    first: following?.first,
    follows: following !== undefined,
    open: (directory) => openForServing(directory, options),
    openBeside: (directory) => openForServingBeside(directory, options),
    warm: (generation) => generation.warm(),
    stop: (generation) => generation.stop(),
    release: (generation) => generation.release(),
    now: () => new Date(),
    events: {
      opened: ({ dataset }) => tellOfDataset(dataset, logger),
      ...absenceEvents(logger, config.datasetsDir),
      closed: (generation) => logger.info({ event: 'dataset-closed', generation }, 'dataset closed'),
    },
  });
  return {
    ...catalog,
    close: async () => {
      await catalog.close();
      await threads.close();
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

/** Logs why no generation is live, with the absolute path of the directory, which may be another than was meant. */
export function absenceEvents(logger: Logger, datasetsDir: string): PublicationEvents {
  const directory = resolve(datasetsDir);
  return {
    nothingPublished: () => logger.warn({ directory }, 'no dataset is published; the first one published will go live'),
    failed: (generation, reason) =>
      logger.error({ directory, generation, reason }, 'the published dataset cannot be opened'),
  };
}

/** What /metrics says of the live dataset; null if none is live. */
export function liveForMetrics(dataset: Dataset | undefined): LiveDataset | null {
  if (!dataset) return null;
  const { tractCount: tracts, description } = dataset.tracts;
  return { generation: dataset.generation, tracts, sources: ageSources(description.loadedSources, Date.now()) };
}

function tellOfDataset({ generation, tracts, addresses }: Dataset, logger: Logger): void {
  const { states, synthetic, namesEdition } = tracts.description;
  logger.info(
    { event: 'dataset', generation, tracts: tracts.tractCount, states: states.length, synthetic },
    'dataset opened',
  );
  if (synthetic) logger.warn('synthetic demo data: no value was measured');
  if (addresses && namesEdition !== NAMES_EDITION) {
    const what =
      'another version of the program compiled the address ranges, and compares some names of streets otherwise';
    logger.warn(
      { event: 'names-of-another-edition', generation, edition: namesEdition, expected: NAMES_EDITION },
      `${what}: ${synthetic ? 'make them again with the command demo' : 'compile again'}`,
    );
  }
}
