import { join } from 'node:path';
import { openContainer } from './container-reader.js';
import { type DatasetDescription, decodeDescription } from './description.js';
import { openFileSource } from './file-source.js';
import { TRACTS_FILE, TRACTS_KIND } from './tracts-file.js';

/** Reads the description of the generation in a directory, without mapping its files. Throws FormatError. */
export function readDescription(directory: string): DatasetDescription {
  const source = openFileSource(join(directory, TRACTS_FILE));
  try {
    const container = openContainer(source, TRACTS_KIND);
    return decodeDescription(container.intactBytes('description'), container.label);
  } finally {
    source.release();
  }
}
