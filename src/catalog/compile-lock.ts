import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createDatasetsLock } from './datasets-lock.js';
import { GENERATIONS_DIR } from './generations.js';

/** Begins the names of directories that a compile writes to, or did not end. */
export const UNFINISHED_PREFIX = '.unfinished-';

/** Whoever has it compiles into the directory; what is published there may be changed by others meanwhile. */
export const compileLock = createDatasetsLock({
  file: '.compile-lock',
  doing: 'is making a dataset here already',
  clear: (datasetsDir) => {
    const generationsDir = join(datasetsDir, GENERATIONS_DIR);
    for (const name of readdirSync(generationsDir)) {
      if (name.startsWith(UNFINISHED_PREFIX)) rmSync(join(generationsDir, name), { recursive: true, force: true });
    }
  },
});
