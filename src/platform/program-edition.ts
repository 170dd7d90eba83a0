import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from './package-root.js';

/** Other files of the package whose contents appear in answers. */
const TEXTS = [packageFile('package.json'), packageFile('datasets', 'dictionary.json')];

/**
 * Identifies everything besides the dataset that determines answers: a hash of the program's compiled files and of the texts
 * that it shows. The same build has the same edition on every machine. Takes some milliseconds; throws if a file cannot be
 * read.
 */
export function programEdition(): string {
  const hash = createHash('sha256');
  for (const path of [...programFiles(), ...TEXTS]) hash.update(readFileSync(path));
  return hash.digest('base64url').slice(0, EDITION_LENGTH);
}

const EDITION_LENGTH = 22;

/** The built program is in one folder. When run from sources, this finds only files beside this module. */
function programFiles(): string[] {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.js'));
  return names.sort().map((name) => join(import.meta.dirname, name));
}
