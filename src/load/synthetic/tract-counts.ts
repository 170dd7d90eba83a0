import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const COUNTS = z.record(z.string().regex(/^\d{5}$/), z.int().positive());
const FILE = join('datasets', 'tract-counts.json');

/**
 * How many tracts each county of the 50 states and DC has, water-only ones included, by county FIPS (counted from the 2023
 * national gazetteer). Throws where the package is incomplete.
 */
export function readTractCounts(): ReadonlyMap<string, number> {
  return new Map(Object.entries(COUNTS.parse(JSON.parse(readFileSync(packageFile(), 'utf8')))));
}

/** The file of the package that this module is in: sources and compiled modules lie at different depths below its root. */
function packageFile(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, FILE))) {
    if (folder === dirname(folder)) throw new Error(`${FILE} is missing from the package`);
    folder = dirname(folder);
  }
  return join(folder, FILE);
}
