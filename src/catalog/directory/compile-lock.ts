import { createDatasetsLock } from './datasets-lock.js';
import { besideGenerations } from './leftovers.js';

/** Name prefix of the directories that a compile is writing to, or was writing to when it was killed. */
export const UNFINISHED_PREFIX = '.unfinished-';

/** Held by the process that compiles into the directory. Others may change what is published there in the meantime. */
export const compileLock = createDatasetsLock({
  file: '.compile-lock',
  doing: 'is already compiling a dataset here',
  leftovers: (datasetsDir) => besideGenerations(datasetsDir, UNFINISHED_PREFIX),
});
