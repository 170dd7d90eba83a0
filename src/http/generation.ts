import type { Dataset } from '../format/dataset.js';
import type { QueryPool } from '../pool/pool.js';
import { unavailable } from './errors.js';

/** A live dataset and the threads that search it. */
export interface Generation {
  readonly dataset: Dataset;
  readonly pool: QueryPool;
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
