import type { ShapefileSet } from './discover.js';
import { firstBytes } from './read-head.js';

/** Matches WKT 1 and WKT 2; compound and bound systems contain the projected one. */
const PROJECTED = /\bPROJ(?:CS|CRS|ECTEDCRS)\s*[[(]\s*(?:"([^"]*)")?/i;

/** Far more than the description of any system. A few megabytes of zeros, deflated, would fill the memory. */
const MAX_BYTES = 64 * 1024;

/** Geographic systems, on their own or within a compound one. */
const GEOGRAPHIC = /\b(?:GEOGCS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS)\s*[[(]/i;

/**
 * Why a shapefile's .prj does not let its coordinates be taken for longitude and latitude, as a message for the maintainer;
 * undefined if they may be, as of one without a .prj.
 */
export async function whyNotGeographic({ prj }: Pick<ShapefileSet, 'prj'>): Promise<string | undefined> {
  if (!prj) return undefined;
  const text = (await firstBytes(prj, MAX_BYTES)).toString('utf8');
  const projected = PROJECTED.exec(text);
  if (projected) {
    const name = projected[1] ?? 'unnamed';
    return `its coordinates are projected (${name}); convert it to longitude and latitude (NAD83 or WGS84)`;
  }
  return GEOGRAPHIC.test(text) ? undefined : 'its .prj names no coordinate system (WKT); download it again';
}
