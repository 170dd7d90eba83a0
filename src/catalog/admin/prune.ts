import { accessSync, constants, readdirSync, renameSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FormatError } from '../../format/format-error.js';
import { syncDirectory } from '../../platform/durable-files.js';
import type { FileLock } from '../../platform/file-lock.js';
import { CatalogError } from '../directory/catalog-error.js';
import { holdAlone } from '../directory/generation-hold.js';
import { GENERATIONS_DIR, generationPath, listGenerations, requirePublished } from '../directory/generations.js';
import { earlierGenerations, rollbackTarget } from '../directory/history.js';
import { condemnedPath } from '../directory/publish-lock.js';
import type { KeepReason, PruneResult } from './dataset-admin.js';

export interface PruneOptions {
  /** So many of those that were live before the current one are kept, and as many of those before the live one. */
  readonly keep: number;
  /** The generation that the service answers from: another than the current one while that waits to be taken live. */
  readonly live: string | undefined;
  /** Generations that are needed whatever their age. */
  readonly pinned: ReadonlySet<string>;
}

/**
 * Removes the generations that are no longer needed. The caller holds the publish lock. The files that a compile is
 * writing are not affected: they are not a generation yet. Requests are answered meanwhile.
 */
export async function pruneGenerations(
  datasetsDir: string,
  { keep, live, pinned }: PruneOptions,
): Promise<PruneResult> {
  const generations = listGenerations(datasetsDir);
  if (generations.length === 0) return { removed: [], kept: [], freedBytes: 0 };
  const current = requireCurrent(datasetsDir, live);
  const before = (generation: string | undefined) => earlierGenerations(datasetsDir, generation).slice(0, keep);
  const earlier = new Set([...before(current), ...before(live)]);
  const removed: string[] = [];
  const kept: { generation: string; reason: KeepReason }[] = [];
  let freedBytes = 0;
  const reasonToKeep = (generation: string): KeepReason | undefined => {
    if (generation === current) return 'current';
    if (earlier.has(generation)) return 'earlier';
    return pinned.has(generation) ? 'pinned' : undefined;
  };
  for (const generation of generations) {
    const reason = reasonToKeep(generation);
    const outcome = reason ?? (await remove(datasetsDir, generation));
    if (typeof outcome === 'string') kept.push({ generation, reason: outcome });
    else {
      removed.push(generation);
      freedBytes += outcome.freedBytes;
    }
  }
  return { removed, kept, freedBytes };
}

/** Throws unless `CURRENT` names a generation that is here: without it, every generation would seem unneeded. */
function requireCurrent(datasetsDir: string, live: string | undefined): string {
  try {
    return requirePublished(datasetsDir);
  } catch (error) {
    if (!(error instanceof CatalogError) || error.code === 'unreadable') throw error;
    throw new CatalogError(error.code, `${error.message}: nothing was deleted; ${adviceOn(datasetsDir, live)}`);
  }
}

/** How to make `CURRENT` name a generation that is here: by a rollback, if there is one that it would go to. */
function adviceOn(datasetsDir: string, live: string | undefined): string {
  const target = rollbackTarget(datasetsDir, live);
  if (target === undefined) return 'put CURRENT back, or publish a dataset with `compile`';
  const which = target === live ? 'the live generation again' : 'the one that was live before';
  return `run \`datasets rollback\` to make CURRENT name ${which}`;
}

/** Removes a generation and returns the size of its files, or why it has to be kept. */
async function remove(datasetsDir: string, generation: string): Promise<Pick<PruneResult, 'freedBytes'> | KeepReason> {
  const directory = generationPath(datasetsDir, generation);
  const hold = holdIfUnused(directory);
  if (typeof hold === 'string') return hold;
  try {
    if (!mayRemoveFiles(directory)) return 'not-removable';
    const freedBytes = generationSizeBytes(directory);
    const generationsDir = join(datasetsDir, GENERATIONS_DIR);
    const condemned = condemnedPath(datasetsDir, generation);
    // Renamed first, so that no crash leaves half a generation under its name; the next lock holder clears the leftovers.
    renameSync(directory, condemned);
    syncDirectory(generationsDir);
    // Not by this thread: the system takes some tenths of a second for the files of the nation.
    await rm(condemned, { recursive: true });
    return { freedBytes };
  } finally {
    hold.release();
  }
}

/** Asked before the generation loses its name: one that was copied here by another user would stay as half a generation. */
function mayRemoveFiles(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** One generation that cannot be opened must not keep the others from being removed, nor hide which ones have been. */
function holdIfUnused(directory: string): FileLock | KeepReason {
  try {
    return holdAlone(directory) ?? 'in-use';
  } catch (error) {
    if (error instanceof FormatError) return 'unreadable';
    throw error;
  }
}

/** The total size of a generation's files. */
export function generationSizeBytes(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}
