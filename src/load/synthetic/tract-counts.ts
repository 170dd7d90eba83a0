import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '../../platform/package-root.js';

const COUNTS = z.record(z.string().regex(/^\d{5}$/), z.int().positive());

/**
 * How many tracts each county of the 50 states and DC has, water-only ones included, by county FIPS (counted from the 2023
 * national gazetteer). Throws where the package is incomplete.
 */
export function readTractCounts(): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(COUNTS.parse(JSON.parse(readFileSync(packageFile('datasets', 'tract-counts.json'), 'utf8')))),
  );
}
