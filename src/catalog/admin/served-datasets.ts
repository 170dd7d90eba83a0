import type { PreparedGeneration } from '../candidates.js';
import type { LiveGeneration } from './dataset-admin.js';

/** The generation that a service answers from, in one process or several. */
export interface ServedDatasets {
  /** Prepares a generation in every process of the service, or in none. Throws CatalogError. */
  prepare(generation: string): Promise<PreparedGeneration>;
  /** The live generation; undefined if there is none. */
  live(): Promise<LiveGeneration | undefined>;
}
