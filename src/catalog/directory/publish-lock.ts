import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from '../../platform/durable-files.js';
import { createDatasetsLock } from './datasets-lock.js';
import { currentPath, GENERATIONS_DIR, generationPath, isGenerationName, readCurrent } from './generations.js';
import { historyPath, servedPath } from './history.js';
import { besideGenerations } from './leftovers.js';
import { withdrawnPath } from './withdrawn.js';

/** Name prefix of generations that are being removed; the next lock holder clears any that are left over. */
const CONDEMNED_PREFIX = '.condemned-';
/** Exists while a generation is being published, and holds its name. */
const MARKER_FILE = '.publishing';

/**
 * Held by the process that changes which generations exist and which is current. A compile takes it for its last step
 * only, so that rollback and prune remain possible while it runs.
 */
export const publishLock = createDatasetsLock({
  file: '.lock',
  doing: 'is changing the published dataset here',
  leftovers: function* (datasetsDir) {
    putBack(datasetsDir);
    yield* besideGenerations(datasetsDir, CONDEMNED_PREFIX);
    const marker = markerPath(datasetsDir);
    const named = existsSync(marker) ? readFileSync(marker, 'utf8').trim() : '';
    if (isGenerationName(named) && named !== readCurrent(datasetsDir)) yield generationPath(datasetsDir, named);
    rmSync(marker, { force: true });
    for (const pathIn of [currentPath, historyPath, servedPath, withdrawnPath]) {
      rmSync(temporaryPath(pathIn(datasetsDir)), { force: true });
    }
  },
});

/** Where a generation lies while it is being removed. */
export function condemnedPath(datasetsDir: string, generation: string): string {
  return join(datasetsDir, GENERATIONS_DIR, `${CONDEMNED_PREFIX}${generation}`);
}

/** Puts the current generation back if its replacement by another copy was cut off between the two renames. */
function putBack(datasetsDir: string): void {
  const current = readCurrent(datasetsDir);
  if (current === undefined) return;
  const [former, path] = [condemnedPath(datasetsDir, current), generationPath(datasetsDir, current)];
  if (existsSync(former) && !existsSync(path)) renameSync(former, path);
}

export function markerPath(datasetsDir: string): string {
  return join(datasetsDir, MARKER_FILE);
}
