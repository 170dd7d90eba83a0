import type { Geoid } from '../../core/geoid.js';

/** `Census Tract 401.02, Kent County, Delaware`, by the survey; with semicolons since 2022. */
const TRACT_NAME = /^Census Tract (\d{1,4})(?:\.(\d{1,2}))?(?![\d.])/i;

/** What a row is rejected for whose name and GEOID are of two tracts: one of the columns has slipped, or was sorted alone. */
export const NAMED_OTHERWISE = 'GEOID and name are of two tracts';

/** Whether a tract's name has another number than its GEOID; not where it has none. */
export function isNamedOtherwise(geoid: Geoid, name: string): boolean {
  const [, whole, part = ''] = TRACT_NAME.exec(name.trim()) ?? [];
  return whole !== undefined && whole.padStart(4, '0') + part.padEnd(2, '0') !== geoid.slice(5);
}
