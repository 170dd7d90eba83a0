import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../core/parse-json.js';
import { packageFile } from '../platform/package-root.js';

const COUNTS = z.record(z.string().regex(/^\d{5}$/), z.int().positive());

/**
 * The number of tracts in each county of the 50 states and DC, including water-only ones, by county FIPS (counted in the
 * 2023 national gazetteer). Throws if the file is missing or invalid.
 */
export function readTractCounts(): ReadonlyMap<string, number> {
  const path = packageFile('datasets', 'tract-counts.json');
  return new Map(Object.entries(parseJson(readFileSync(path, 'utf8'), path, COUNTS)));
}

/** The same by state FIPS. */
export function readStateTractCounts(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [county, count] of readTractCounts()) {
    const state = county.slice(0, 2);
    counts.set(state, (counts.get(state) ?? 0) + count);
  }
  return counts;
}
