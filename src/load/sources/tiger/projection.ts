import type { ShapefileSet } from '../../files/discover.js';
import type { InputFile } from '../../input.js';

/** Matches WKT 1 and WKT 2; compound and bound systems contain the projected one. */
const PROJECTED = /\bPROJ(?:CS|CRS|ECTEDCRS)\s*[[(]\s*(?:"([^"]*)")?/i;

/** The name of the projected coordinate system in a shapefile's .prj; undefined if it has none. */
export async function projectionOf({ prj }: ShapefileSet): Promise<string | undefined> {
  const match = PROJECTED.exec(prj ? await readText(prj) : '');
  return match ? (match[1] ?? 'unnamed') : undefined;
}

async function readText(file: InputFile): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await file.open()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
