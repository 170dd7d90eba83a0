import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { plainFile } from '../files/input-file.js';
import { InputError } from '../input.js';
import { readLookup } from '../sources/acs/sequence/lookup.js';

/**
 * The four-digit numbers of the sequences that hold the tables according to a year's lookup, sorted. Throws `InputError` if
 * the lookup cannot be read or lacks a table.
 */
export async function sequencesOf(lookupPath: string, tables: readonly string[]): Promise<string[]> {
  const name = basename(lookupPath);
  const places = await readLookup(plainFile(lookupPath, name, name, statSync(lookupPath).size));
  const wanted = tables.map((table) => {
    const place = places.find((known) => known.table === table.toUpperCase());
    if (!place) throw new InputError(`${name}: it does not list the table ${table.toUpperCase()}`);
    return String(place.sequence).padStart(4, '0');
  });
  return [...new Set(wanted)].sort();
}
