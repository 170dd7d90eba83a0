import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '../platform/package-root.js';

const COUNTS = z.record(z.string().regex(/^\d{5}$/), z.int().positive());

/**
 * The number of tracts in each county of the 50 states and DC, including water-only ones, by county FIPS (counted in the
 * 2023 national gazetteer). Throws if the package is incomplete.
 */
export function readTractCounts(): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(COUNTS.parse(JSON.parse(readFileSync(packageFile('datasets', 'tract-counts.json'), 'utf8')))),
  );
}
