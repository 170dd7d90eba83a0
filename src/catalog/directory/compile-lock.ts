import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createDatasetsLock } from './datasets-lock.js';
import { GENERATIONS_DIR } from './generations.js';
import { removeLeftover } from './leftovers.js';

/** Name prefix of the directories that a compile is writing to, or was writing to when it was killed. */
export const UNFINISHED_PREFIX = '.unfinished-';

/** Held by the process that compiles into the directory. Others may change what is published there in the meantime. */
export const compileLock = createDatasetsLock({
  file: '.compile-lock',
  doing: 'is already compiling a dataset here',
  clear: (datasetsDir) => {
    const generationsDir = join(datasetsDir, GENERATIONS_DIR);
    for (const name of readdirSync(generationsDir)) {
      if (name.startsWith(UNFINISHED_PREFIX)) removeLeftover(join(generationsDir, name));
    }
  },
});
