import { type Dataset, openDataset } from '../format/dataset.js';
import { createDistributions, type Distributions } from '../narrative/distributions.js';
import { createQueryPool, type QueryPool, type QueryPoolOptions } from '../pool/pool.js';
import { unavailable } from './errors.js';

/** A live dataset and the threads that search it. */
export interface Generation {
  readonly dataset: Dataset;
  readonly pool: QueryPool;
  /** For narratives. */
  readonly distributions: Distributions;
}

/** The live generation. Throws `no_dataset` where there is none. */
export type RequireGeneration = () => Generation;

export function requireGeneration(current: () => Generation | undefined): RequireGeneration {
  return () => {
    const generation = current();
    if (!generation) throw unavailable('no_dataset', 'No dataset is loaded yet.');
    return generation;
  };
}

/** A generation that can be closed. */
export interface OpenGeneration extends Generation {
  close(): Promise<void>;
}

/** How long after the opening the preparation for narratives begins. */
const PREPARE_AFTER_MS = 1000;

/**
 * Opens a generation's directory and starts its threads. What narratives need is prepared bit by bit, between requests.
 * Throws FormatError.
 */
export function openGeneration(directory: string, options: Omit<QueryPoolOptions, 'datasetDirectory'>): OpenGeneration {
  const dataset = openDataset(directory);
  const pool = createQueryPool({ ...options, datasetDirectory: directory });
  const distributions = createDistributions(dataset.tracts);
  let next: NodeJS.Immediate | undefined;
  const prepare = (): void => {
    next = distributions.prepareNext() ? setImmediate(prepare) : undefined;
  };
  // The first answers come first: it takes some hundred milliseconds in all.
  const start = setTimeout(prepare, PREPARE_AFTER_MS).unref();
  return {
    dataset,
    pool,
    distributions,
    close: async () => {
      // Whoever reads the files ends first.
      clearTimeout(start);
      clearImmediate(next);
      await pool.close();
      dataset.release();
    },
  };
}
