import { CatalogError } from '../catalog/directory/catalog-error.js';
import { absentCurrent, listGenerations, readPublished } from '../catalog/directory/generations.js';
import type { CommittedGeneration } from '../catalog/directory/publish.js';
import { CliError } from './cli-error.js';

/**
 * The generation that is published in a datasets directory; undefined if none is. Throws `CliError` naming `CURRENT` if it
 * cannot be read, or names a generation that is not there.
 */
export function publishedIn(datasetsDir: string): string | undefined {
  return withCurrentErrors(datasetsDir, () => {
    const generation = readPublished(datasetsDir);
    if (generation !== undefined && !listGenerations(datasetsDir).includes(generation)) throw absentCurrent(generation);
    return generation;
  });
}

/** Describes the result of a compile in one line. */
export function describeCommit(datasetsDir: string, committed: CommittedGeneration): string {
  const { generation, changed, restored, wasWithdrawn } = committed;
  if (changed)
    return `Published ${generation} in ${datasetsDir}${wasWithdrawn ? ', which had been rolled back from' : ''}`;
  if (!restored) return `${generation} in ${datasetsDir} is already published; nothing changed`;
  return `${generation} in ${datasetsDir} is already published; its missing or damaged files were written again. Run "datasets reload" so that a running service reopens them`;
}

/** Turns an error about a datasets directory's `CURRENT` into a `CliError` that names the directory. */
export function withCurrentErrors<T>(datasetsDir: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof CatalogError ? new CliError(`${datasetsDir}: ${error.message}`, 1) : error;
  }
}
