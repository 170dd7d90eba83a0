import type { Geoid } from '../../core/geoid.js';
import type { Tally } from '../tally.js';

/** A tract's name as ACS writes it: `Census Tract 401.02, Kent County, Delaware`; with semicolons since 2022. */
const TRACT_NAME = /^Census Tract (\d{1,4})(?:\.(\d{1,2}))?(?![\d.])/i;

/** Whether a tract's name has another number than its GEOID; false if the name has none. */
export function isNamedOtherwise(geoid: Geoid, name: string): boolean {
  const [, whole, part = ''] = TRACT_NAME.exec(name.trim()) ?? [];
  return whole !== undefined && whole.padStart(4, '0') + part.padEnd(2, '0') !== geoid.slice(5);
}

/** Rejects a row whose name (in `column`) and GEOID belong to two tracts: one column has slipped or was sorted alone. */
export function rejectNamedOtherwise(tally: Tally, geoid: Geoid, column: string, name: string): void {
  tally.reject('GEOID contradicts the tract name', { geoid, column, value: name });
}
