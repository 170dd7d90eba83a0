import type { LoadedSource } from '../core/loaded-source.js';
import type { Section } from '../core/metrics.js';
import type { Damage } from './catalog-error.js';

/** What a maintainer does with the generations of a datasets directory. Results are plain data, fit for JSON. */
export interface DatasetAdmin {
  /** All complete generations on disk: the live one first, then those that were live before it, then the others. */
  list(): Promise<GenerationSummary[]>;
  /** What this service answers from, and what `CURRENT` names. */
  current(): Promise<CurrentGenerations>;
  /**
   * Takes the published generation live, in every process, while requests run. `dryRun` does everything but that: it
   * verifies the generation and compares it with the live one. Throws {@link CatalogError}; then the old one stays live.
   */
  reload(options?: { readonly dryRun?: boolean | undefined }): Promise<ReloadResult>;
  /**
   * Undoes the last step. What was published and is not live is withdrawn: the live one is current again, and stays
   * live. Where nothing waits like that, the generation that was live before goes live and is current. Throws {@link
   * CatalogError}.
   */
  rollback(): Promise<RollbackResult>;
  /**
   * Removes generations that nobody needs. The live one, `keep` earlier ones (1 unless told), pinned ones and those that
   * any process has open are kept. Throws {@link CatalogError}.
   */
  prune(options?: { readonly keep?: number | undefined }): Promise<PruneResult>;
  /** Compares every byte of a generation with its checksums; the current one unless named. Throws {@link CatalogError}. */
  verify(generation?: string): Promise<VerifyResult>;
}

/** Generations are named by 32 hexadecimal digits. */
export interface GenerationSummary {
  readonly generation: string;
  /** This service answers from it. */
  readonly live: boolean;
  /** `CURRENT` names it: a restart would open it. */
  readonly current: boolean;
  /** It was live before: {@link DatasetAdmin.rollback} goes to it, unless something waits that it withdraws first. */
  readonly previous: boolean;
  /** A delivery still needs it. */
  readonly pinned: boolean;
  /** When its files were written, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** Null where the service may not read its directory. */
  readonly sizeBytes: number | null;
  /** What it was compiled from; empty where its files cannot be read. */
  readonly sources: readonly LoadedSource[];
}

export interface CurrentGenerations {
  /** Null while nothing is live. */
  readonly live: LiveGeneration | null;
  /** The name in `CURRENT`; null where nothing is published. */
  readonly published: string | null;
  /** What was live before; where {@link DatasetAdmin.rollback} goes, unless something waits that it withdraws first. */
  readonly previous: string | null;
}

export interface LiveGeneration {
  readonly generation: string;
  /** Since when it is answered from, ISO 8601 in UTC; of several processes, what the first that replied says. */
  readonly since: string;
  readonly tracts: number;
  readonly states: number;
  readonly synthetic: boolean;
  /** What it was compiled from. */
  readonly sources: readonly LoadedSource[];
}

export interface ReloadResult {
  /** Whether another generation is live than before; with `dryRun`, whether one would be. */
  readonly changed: boolean;
  readonly dryRun: boolean;
  /** What was live; null where nothing was. */
  readonly from: string | null;
  /** What is live now; with `dryRun`, what would be. */
  readonly to: string;
  /** Null where nothing was live before. */
  readonly changes: ChangeCounts | null;
  readonly durationMs: number;
}

export interface RollbackResult extends ReloadResult {
  /** What was published and not live, and is not published any more; null where there was nothing of that kind. */
  readonly withdrawn: string | null;
  /** Whether `CURRENT` was not there or named no generation, and names the live one again. */
  readonly mended: boolean;
}

/** How many tracts differ between two generations. */
export interface ChangeCounts {
  readonly changedTracts: number;
  readonly addedTracts: number;
  readonly removedTracts: number;
  /** Tracts in which a section differs, those added and removed among them. */
  readonly bySection: Readonly<Record<Section, number>>;
}

export interface PruneResult {
  readonly removed: readonly string[];
  readonly kept: readonly { readonly generation: string; readonly reason: KeepReason }[];
  /** Of the removed files. */
  readonly freedBytes: number;
}

/**
 * `current`: CURRENT names it. `earlier`: among the earlier ones to keep. `pinned`: a delivery needs it. `in-use`: some
 * process has it open.
 */
export type KeepReason = 'current' | 'earlier' | 'pinned' | 'in-use';

export interface VerifyResult {
  readonly generation: string;
  readonly intact: boolean;
  /** One entry for each section, or file, that is not as it was written. */
  readonly damage: readonly Damage[];
  readonly durationMs: number;
}
