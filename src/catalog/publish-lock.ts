import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from '../platform/durable-files.js';
import { createDatasetsLock } from './datasets-lock.js';
import { currentPath, GENERATIONS_DIR, generationPath, isGenerationName, readCurrent } from './generations.js';
import { historyPath } from './history.js';

/** Begins the names of directories that are generations no longer; whoever has the lock next clears them. */
export const CONDEMNED_PREFIX = '.condemned-';
/** Names the generation that is being published, while it is. */
const MARKER_FILE = '.publishing';

/**
 * Whoever has it changes which generations there are and which is current. A compile takes it for its last step alone,
 * so that it is free while one runs.
 */
export const publishLock = createDatasetsLock({
  file: '.lock',
  doing: 'is changing what is published here',
  clear: (datasetsDir) => {
    const generationsDir = join(datasetsDir, GENERATIONS_DIR);
    for (const name of readdirSync(generationsDir)) {
      if (name.startsWith(CONDEMNED_PREFIX)) rmSync(join(generationsDir, name), { recursive: true, force: true });
    }
    const marker = markerPath(datasetsDir);
    const named = existsSync(marker) ? readFileSync(marker, 'utf8').trim() : '';
    if (isGenerationName(named) && named !== readCurrent(datasetsDir)) {
      rmSync(generationPath(datasetsDir, named), { recursive: true, force: true });
    }
    rmSync(marker, { force: true });
    for (const path of [currentPath(datasetsDir), historyPath(datasetsDir)])
      rmSync(temporaryPath(path), { force: true });
  },
});

export function markerPath(datasetsDir: string): string {
  return join(datasetsDir, MARKER_FILE);
}
