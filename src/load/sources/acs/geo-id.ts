import { cellAt, findColumn } from '../columns.js';

/** Summary level 140, no geographic component: a census tract as a whole. */
const TRACT_PREFIX = '1400000US';
const ANY_GEO_ID = /^\d{7}US/;

/** What a GEO_ID stands for. */
export type GeoIdKind = 'tract' | 'other geography' | 'no GEO_ID';

export function geoIdKind(text: string): GeoIdKind {
  if (text.startsWith(TRACT_PREFIX)) return 'tract';
  return ANY_GEO_ID.test(text) ? 'other geography' : 'no GEO_ID';
}

/** The GEOID in a tract's GEO_ID; checked by the caller. */
export const geoidOfGeoId = (text: string): string => text.slice(TRACT_PREFIX.length);

/** Whether the first rows of a table name counties or states and not one tract. */
export function startsWithoutTracts(header: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const column = findColumn(header, ['GEO_ID']);
  const kinds = rows.map((cells) => geoIdKind(cellAt(cells, column)));
  return kinds.includes('other geography') && !kinds.includes('tract');
}
