import { text } from 'node:stream/consumers';
import type { ShapefileSet } from './discover.js';

/** Matches WKT 1 and WKT 2; compound and bound systems contain the projected one. */
const PROJECTED = /\bPROJ(?:CS|CRS|ECTEDCRS)\s*[[(]\s*(?:"([^"]*)")?/i;

/** The name of the projected coordinate system in a shapefile's .prj; undefined if it has none. */
export async function projectionOf({ prj }: ShapefileSet): Promise<string | undefined> {
  const match = PROJECTED.exec(prj ? await text(await prj.open()) : '');
  return match ? (match[1] ?? 'unnamed') : undefined;
}
