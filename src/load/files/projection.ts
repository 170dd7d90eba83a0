import type { ShapefileSet } from './discover.js';
import { firstBytes } from './read-head.js';

/** Matches WKT 1 and WKT 2; compound and bound systems contain the projected one. */
const PROJECTED = /\bPROJ(?:CS|CRS|ECTEDCRS)\s*[[(]\s*(?:"([^"]*)")?/i;

/** Far more than the description of any system. A few megabytes of zeros, deflated, would fill the memory. */
const MAX_BYTES = 64 * 1024;

/** The name of the projected coordinate system in a shapefile's .prj; undefined if it has none. */
export async function projectionOf({ prj }: Pick<ShapefileSet, 'prj'>): Promise<string | undefined> {
  const match = PROJECTED.exec(prj ? (await firstBytes(prj, MAX_BYTES)).toString('utf8') : '');
  return match ? (match[1] ?? 'unnamed') : undefined;
}
