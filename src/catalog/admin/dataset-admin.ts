import type { LoadedSource } from '../../core/loaded-source.js';
import type { Section } from '../../core/metrics.js';
import type { Damage } from '../directory/catalog-error.js';

/** A maintainer's operations on the generations of a datasets directory. Results are plain data, fit for JSON. */
export interface DatasetAdmin {
  /** All complete generations on disk: the live one first, then those that were live before it, then the others. */
  list(): Promise<GenerationSummary[]>;
  /** The generation that this service answers from, and the one that `CURRENT` names. */
  current(): Promise<CurrentGenerations>;
  /**
   * Takes the published generation live, in every process, while requests run. A `dryRun` only verifies the generation and
   * compares it with the live one. Throws CatalogError, in which case the old generation stays live, unless the
   * code is `not-everywhere`.
   */
  reload(options?: { readonly dryRun?: boolean | undefined }): Promise<ReloadResult>;
  /**
   * Undoes the last step. If a generation has been published and is not live yet, it is withdrawn: the live one becomes
   * current again and stays live. Otherwise the previously live generation becomes live and current. Throws
   * CatalogError.
   */
  rollback(): Promise<RollbackResult>;
  /**
   * Removes the generations that are no longer needed. Keeps the current one, the live one, `keep` (default 1) that were
   * live before each of these two, pinned ones, and those that any process has open. Throws CatalogError.
   */
  prune(options?: { readonly keep?: number | undefined }): Promise<PruneResult>;
  /** Verifies all checksums of a generation, by default the current one. Throws CatalogError. */
  verify(generation?: string): Promise<VerifyResult>;
}

/** One generation on disk; its name has 32 hexadecimal digits. */
export interface GenerationSummary {
  readonly generation: string;
  /** Whether this service answers from it. */
  readonly live: boolean;
  /** Whether `CURRENT` names it: a restart would open it. */
  readonly current: boolean;
  /**
   * Whether it was live before the live one: {@link DatasetAdmin.rollback} goes to it, unless there is a published
   * generation to withdraw first.
   */
  readonly previous: boolean;
  /** Whether a webhook delivery still needs it. */
  readonly pinned: boolean;
  /** When its files were written, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** Null if the service is not permitted to read its directory. */
  readonly sizeBytes: number | null;
  /** The sources it was compiled from; empty if its files cannot be read. */
  readonly sources: readonly LoadedSource[];
}

export interface CurrentGenerations {
  /** Null while nothing is live. */
  readonly live: LiveGeneration | null;
  /** The generation that `CURRENT` names; null if nothing is published. */
  readonly published: string | null;
  /** The one that was live before: {@link DatasetAdmin.rollback} goes to it, unless a published one is withdrawn first. */
  readonly previous: string | null;
}

export interface LiveGeneration {
  readonly generation: string;
  /** When it went live, ISO 8601 in UTC; with several processes, in the first of those that run. */
  readonly since: string;
  readonly tracts: number;
  readonly states: number;
  readonly synthetic: boolean;
  /** The sources it was compiled from. */
  readonly sources: readonly LoadedSource[];
}

export interface ReloadResult {
  /** Whether the live generation changed; with `dryRun`, whether it would. */
  readonly changed: boolean;
  /**
   * Whether the live generation is the same as before and its files were opened anew, since they had been rewritten or some
   * process answered from others; false with `dryRun`.
   */
  readonly renewed: boolean;
  readonly dryRun: boolean;
  /** The generation that was live before; null if none was. */
  readonly from: string | null;
  /** The generation that is live now; with `dryRun`, the one that would be. */
  readonly to: string;
  /** Null if the generation did not change, nothing was live before, or the earlier one can no longer be read. */
  readonly changes: ChangeCounts | null;
  readonly durationMs: number;
}

export interface RollbackResult extends ReloadResult {
  /** The generation that was published but not live, and is no longer published; null if there was none. */
  readonly withdrawn: string | null;
  /** Whether `CURRENT` was missing or named no generation, and now names the live one again. */
  readonly mended: boolean;
}

/** How many tracts differ between two generations. */
export interface ChangeCounts {
  readonly changedTracts: number;
  readonly addedTracts: number;
  readonly removedTracts: number;
  /** For each section, the tracts in which it differs, including added and removed tracts. */
  readonly bySection: Readonly<Record<Section, number>>;
}

export interface PruneResult {
  readonly removed: readonly string[];
  readonly kept: readonly { readonly generation: string; readonly reason: KeepReason }[];
  /** Total size of the removed files. */
  readonly freedBytes: number;
}

/**
 * Why prune kept a generation. `current`: CURRENT names it. `earlier`: it is among the earlier ones to keep. `pinned`: a
 * webhook delivery needs it. `in-use`: some process has it open. `unreadable`: the service is not permitted to read it, or
 * short of file descriptors, so that it cannot tell whether it is in use. `not-removable`: the service is not permitted to
 * remove its files.
 */
export const KEEP_REASONS = ['current', 'earlier', 'pinned', 'in-use', 'unreadable', 'not-removable'] as const;
export type KeepReason = (typeof KEEP_REASONS)[number];

export interface VerifyResult {
  readonly generation: string;
  readonly intact: boolean;
  /** One entry for each damaged section or unreadable file. */
  readonly damage: readonly Damage[];
  readonly durationMs: number;
}
