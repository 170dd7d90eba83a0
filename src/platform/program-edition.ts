import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from './package-root.js';

/**
 * The built files that stand for all on which answers depend: `main.js` names each other file of the main program with a hash
 * of its contents, among which are the names of those that it loads in turn, and `worker.js` is the whole of what runs in
 * threads.
 */
const PROGRAM_FILES = ['main.js', 'worker.js'];

/** Other files of the package whose contents appear in answers. */
const TEXTS = [packageFile('package.json'), packageFile('datasets', 'dictionary.json')];

/**
 * Identifies everything besides the dataset that determines answers: a hash of the program's compiled files and of the texts
 * that it shows. The same build has the same edition on every machine. Throws if a file cannot be read. When run from
 * sources, there are no compiled files beside this module.
 */
export function programEdition(directory = import.meta.dirname): string {
  const hash = createHash('sha256');
  const program = PROGRAM_FILES.map((name) => join(directory, name)).filter((path) => existsSync(path));
  for (const path of [...program, ...TEXTS]) hash.update(readFileSync(path));
  return hash.digest('base64url').slice(0, EDITION_LENGTH);
}

const EDITION_LENGTH = 22;
