import { cellAt, findColumn } from '../columns.js';
import { isSpoiledGeoid } from '../tract-field.js';

/** Summary level 140, no geographic component: a census tract as a whole. */
const TRACT_PREFIX = '1400000US';
/** A tract's GEOID alone, as tables that somebody has worked on hold it; no GEO_ID of the agency is without its prefix. */
const BARE_TRACT = /^\d{10,11}$/;
/** Summary level, then geographic variant and component, which may contain letters: `860Z200US`, `310M700US`. */
const ANY_GEO_ID = /^\d{3}[0-9A-Z]{4}US/i;
const BLOCK_GROUP = /^150[0-9A-Z]{4}US/i;

/** What a GEO_ID stands for. */
export type GeoIdKind = 'tract' | 'other geography' | 'no GEO_ID';

export function geoIdKind(text: string): GeoIdKind {
  if (text.startsWith(TRACT_PREFIX) || BARE_TRACT.test(text)) return 'tract';
  return ANY_GEO_ID.test(text) ? 'other geography' : 'no GEO_ID';
}

/** The GEOID in a tract's GEO_ID; the caller validates it. */
export const geoidOfGeoId = (text: string): string =>
  text.startsWith(TRACT_PREFIX) ? text.slice(TRACT_PREFIX.length) : text;

export const BLOCK_GROUP_TABLE = 'a block-group table: use the tract-level one';
export const COARSER_TABLE = 'a county-level (or coarser) table: it has no census tracts';

/** Why a table without tracts must not be loaded; `geoId` is one of the GEO_IDs that it has instead. */
export function refusalOfGeoId(geoId: string): string {
  return BLOCK_GROUP.test(geoId) ? BLOCK_GROUP_TABLE : COARSER_TABLE;
}

/**
 * A GEO_ID from a table of counties, states or block groups without any tract, spoiled ones included; undefined for other
 * tables.
 */
export function geoIdWithoutTracts(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string | undefined {
  const column = findColumn(header, ['GEO_ID']);
  const geoIds = rows.map((cells) => cellAt(cells, column));
  if (geoIds.some((geoId) => geoIdKind(geoId) === 'tract' || isSpoiledGeoid(geoId))) return undefined;
  return geoIds.find((geoId) => geoIdKind(geoId) === 'other geography');
}
