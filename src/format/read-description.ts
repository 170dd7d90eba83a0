import { join } from 'node:path';
import { openContainer } from './container-reader.js';
import { type DatasetDescription, decodeDescription } from './description.js';
import { openFileSource } from './file-source.js';
import { TRACTS_FILE, TRACTS_KIND } from './tracts-file.js';

/** What the generation in a directory holds, without mapping any of it. Throws FormatError. */
export function readDescription(directory: string): DatasetDescription {
  const source = openFileSource(join(directory, TRACTS_FILE));
  try {
    const container = openContainer(source, TRACTS_KIND);
    return decodeDescription(container.intactBytes('description'), container.label);
  } finally {
    source.release();
  }
}
