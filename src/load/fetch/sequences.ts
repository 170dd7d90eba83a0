import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { plainFile } from '../files/input-file.js';
import { InputError } from '../input.js';
import { readLookup } from '../sources/acs/sequence/lookup.js';

/**
 * The sequences in which a year's lookup has the tables, four digits each, in order. Throws `InputError` where it cannot be
 * read, or does not have one of them.
 */
export async function sequencesOf(lookupPath: string, tables: readonly string[]): Promise<string[]> {
  const name = basename(lookupPath);
  const places = await readLookup(plainFile(lookupPath, name, name, statSync(lookupPath).size));
  const wanted = tables.map((table) => {
    const place = places.find((known) => known.table === table.toUpperCase());
    if (!place) throw new InputError(`${name}: it does not place ${table.toUpperCase()}`);
    return String(place.sequence).padStart(4, '0');
  });
  return [...new Set(wanted)].sort();
}
