import { requireAllFiles } from '../catalog/directory/generation-name.js';
import type { Lease } from '../catalog/leases.js';
import type { Geoid } from '../core/geoid.js';
import { type Dataset, openDataset, openDatasetBeside } from '../format/dataset.js';
import type { TractsFile } from '../format/tracts-file.js';
import { createQueryPool, type QueryPool, type QueryPoolOptions } from '../pool/pool.js';
import { warmPool } from '../pool/warm-pool.js';
import { findRow } from '../query/rows.js';
import { DETAILS, tractNotFound } from './error-details.js';
import { ApiError, unavailable } from './errors.js';

/** An open dataset, which worker threads search. */
export interface Generation {
  readonly dataset: Dataset;
  readonly pool: QueryPool;
}

/**
 * The generation that the whole of a request is answered from. Throws `no_dataset` if none was live when the request was
 * taken up.
 */
export function requireGeneration({ lease }: { readonly lease: Lease<Generation> | undefined }): Generation {
  if (!lease) throw unavailable('no_dataset', DETAILS.noDataset);
  return lease.value;
}

/** The row of a tract. Throws `not_found` if the tract is not loaded. */
export function requireRow(tracts: Pick<TractsFile, 'geoids'>, geoid: Geoid): number {
  const row = findRow(tracts, geoid);
  if (row < 0) throw new ApiError('not_found', tractNotFound(geoid));
  return row;
}

/** A generation with the life-cycle methods that the catalog calls. */
export interface OpenGeneration extends Generation {
  /** Brings it up to the speed of a generation that has been live for a while. */
  warm(): Promise<void>;
  /** Has the threads let go of it, and takes it out of memory; tasks that they have not answered are rejected. */
  stop(): Promise<void>;
  /** Unmaps the files. Nothing may read them any more, and the threads must have let go of them. */
  release(): void;
}

/** Delay between opening a generation and starting to prepare for addresses. */
const PREPARE_AFTER_MS = 1000;

export interface GenerationOptions extends Omit<QueryPoolOptions, 'dataset'> {
  /** Called if the address ranges cannot be read: addresses are then not found, and everything else keeps working. */
  readonly onAddressesError: (error: unknown) => void;
}

/** Opens a generation's directory. The data for addresses is prepared in the background. Throws FormatError. */
export const openForServing = (directory: string, options: GenerationOptions): OpenGeneration =>
  serveDataset(requireAllFiles(openDataset(directory)), options);

/** Like {@link openForServing}, but without holding up the generation that serves meanwhile. Rejects with FormatError. */
export const openForServingBeside = async (directory: string, options: GenerationOptions): Promise<OpenGeneration> =>
  serveDataset(requireAllFiles(await openDatasetBeside(directory)), options);

function serveDataset(dataset: Dataset, options: GenerationOptions): OpenGeneration {
  const pool = createQueryPool({ ...options, dataset });
  const stopping = new AbortController();
  // Delayed so that it does not compete with the first requests.
  const start = setTimeout(() => {
    dataset.addresses?.prepare(stopping.signal).catch(options.onAddressesError);
  }, PREPARE_AFTER_MS).unref();
  return {
    dataset,
    pool,
    warm: async () => {
      await dataset.addresses?.prepare(stopping.signal);
      await warmPool(pool, dataset.tracts, options.threads.most);
    },
    stop: async () => {
      clearTimeout(start);
      stopping.abort();
      await pool.close();
      await dataset.evict();
    },
    release: dataset.release,
  };
}
