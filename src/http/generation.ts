import type { Lease } from '../catalog/leases.js';
import { type Dataset, openDataset, openDatasetBeside } from '../format/dataset.js';
import { createDistributions, type Distributions } from '../narrative/distributions.js';
import { prepareDistributions } from '../narrative/prepare-distributions.js';
import { createQueryPool, type QueryPool, type QueryPoolOptions } from '../pool/pool.js';
import { warmPool } from '../pool/warm-pool.js';
import { unavailable } from './errors.js';

/** A live dataset and the threads that search it. */
export interface Generation {
  readonly dataset: Dataset;
  readonly pool: QueryPool;
  /** For narratives. */
  readonly distributions: Distributions;
}

/**
 * The generation that a request is answered from, from its beginning to its end. Throws `no_dataset` where there is
 * none.
 */
export function requireGeneration({ lease }: { readonly lease: Lease<Generation> | undefined }): Generation {
  if (!lease) throw unavailable('no_dataset', 'No dataset is loaded yet.');
  return lease.value;
}

/** A generation as the catalog has it. */
export interface OpenGeneration extends Generation {
  /** Makes its threads as fast as those of one that has been live for long. */
  warm(): Promise<void>;
  /** Ends its threads; what they have not answered is refused. */
  stop(): Promise<void>;
  /** Unmaps its files. Nobody may read them any more, and its threads must have ended. */
  release(): void;
}

/** How long after the opening the preparation for addresses and narratives begins. */
const PREPARE_AFTER_MS = 1000;

export interface GenerationOptions extends Omit<QueryPoolOptions, 'dataset'> {
  /** Told where the address ranges cannot be read: then addresses cannot be found, and all else goes on. */
  readonly onAddressesError: (error: unknown) => void;
}

/**
 * Opens a generation's directory. Its threads start soon, and what addresses and narratives need is prepared beside them.
 * Throws FormatError.
 */
export const openForServing = (directory: string, options: GenerationOptions): OpenGeneration =>
  serveDataset(openDataset(directory), options);

/** The same while another generation answers requests. Rejects with FormatError. */
export const openForServingBeside = async (directory: string, options: GenerationOptions): Promise<OpenGeneration> =>
  serveDataset(await openDatasetBeside(directory), options);

function serveDataset(dataset: Dataset, options: GenerationOptions): OpenGeneration {
  const pool = createQueryPool({ ...options, dataset });
  const distributions = createDistributions(dataset.tracts);
  const stopping = new AbortController();
  let endPreparation: (() => Promise<void>) | undefined;
  // The first answers come first.
  const start = setTimeout(() => {
    dataset.addresses?.prepare(stopping.signal).catch(options.onAddressesError);
    endPreparation = prepareDistributions({ dataset, distributions, onError: options.onThreadError });
  }, PREPARE_AFTER_MS).unref();
  return {
    dataset,
    pool,
    distributions,
    warm: async () => {
      await dataset.addresses?.prepare(stopping.signal);
      await warmPool(pool, dataset.tracts, options.threads);
    },
    stop: async () => {
      clearTimeout(start);
      stopping.abort();
      await Promise.all([pool.close(), endPreparation?.()]);
    },
    release: dataset.release,
  };
}
