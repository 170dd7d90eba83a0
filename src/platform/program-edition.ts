import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from './package-root.js';

/** Files of the package that answers are made of, too. */
const TEXTS = [packageFile('package.json'), packageFile('datasets', 'dictionary.json')];

/**
 * Names what answers are made by, beside a dataset: the program's compiled files and the texts that it shows. The same
 * build has the same name on every machine. Some milliseconds; throws where a file cannot be read.
 */
export function programEdition(): string {
  const hash = createHash('sha256');
  for (const path of [...programFiles(), ...TEXTS]) hash.update(readFileSync(path));
  return hash.digest('base64url').slice(0, EDITION_LENGTH);
}

const EDITION_LENGTH = 22;

/** The built program is one folder; from sources it is this module's own folder alone. */
function programFiles(): string[] {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.js'));
  return names.sort().map((name) => join(import.meta.dirname, name));
}
