import { CatalogError } from '../catalog/catalog-error.js';
import { absentCurrent, listGenerations, readPublished } from '../catalog/generations.js';
import type { CommittedGeneration } from '../catalog/publish.js';
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
export function describeCommit(datasetsDir: string, { generation, changed, restored }: CommittedGeneration): string {
  if (changed) return `Published ${generation} in ${datasetsDir}`;
  if (!restored) return `${generation} in ${datasetsDir} is published already; nothing changed`;
  return `${generation} in ${datasetsDir} was published already; its files, which were gone or damaged, are written again. A service that has them open takes them with "datasets reload"`;
}

/** Turns an error about a datasets directory's `CURRENT` into a `CliError` that names the directory. */
export function withCurrentErrors<T>(datasetsDir: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof CatalogError ? new CliError(`${datasetsDir}: ${error.message}`, 1) : error;
  }
}
