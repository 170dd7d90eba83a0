import type { PreparedGeneration } from './candidates.js';
import type { LiveGeneration } from './dataset-admin.js';

/** The generations that a service answers from, in one process or in several. */
export interface ServedDatasets {
  /** Makes a generation ready in every process of the service, or in none. Throws CatalogError. */
  prepare(generation: string): Promise<PreparedGeneration>;
  /** What it answers from; undefined while nothing is live. */
  live(): Promise<LiveGeneration | undefined>;
}
