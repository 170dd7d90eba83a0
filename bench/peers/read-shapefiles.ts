/**
 * The yardstick of `load`, in its own process: reads shapefiles with the npm package `shapefile`, feature by feature, and
 * keeps none. Prints a {@link ShapefileReading} as JSON.
 *
 *   node read-shapefiles.js unpacked <dir>   plain files, opened by path as in the package's README
 *   node read-shapefiles.js zipped <dir>     all shapefiles below a directory as agencies ship them; inflating counts
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Openable, open } from 'shapefile';
import { discoverFiles } from '../../src/load/files/discover.js';
import type { InputFile } from '../../src/load/input.js';

/** The time that reading took, without listing the files, and the number of features with a geometry. */
export interface ShapefileReading {
  readonly readMs: number;
  readonly features: number;
}

/** Opens the two parts of a shapefile for reading. */
type Opener = () => Promise<readonly [shp: Openable, dbf: Openable | undefined]>;

function unpackedFiles(dir: string): Opener[] {
  const stems = readdirSync(dir)
    .filter((name) => name.endsWith('.shp'))
    .map((name) => join(dir, name.slice(0, -4)));
  return stems.map((stem) => async () => [`${stem}.shp`, `${stem}.dbf`]);
}

async function zippedFiles(dir: string): Promise<Opener[]> {
  const { shapefiles } = await discoverFiles([dir]);
  const inflate = async (file: InputFile): Promise<Uint8Array> => buffer(await file.open());
  return shapefiles.map(({ shp, dbf }) => async () => [await inflate(shp), dbf && (await inflate(dbf))]);
}

async function countFeatures(opener: Opener): Promise<number> {
  const [shp, dbf] = await opener();
  const source = await open(shp, dbf);
  let features = 0;
  for (let next = await source.read(); !next.done; next = await source.read()) {
    if (next.value.geometry) features++;
  }
  return features;
}

const [mode, dir = ''] = process.argv.slice(2);
const openers = mode === 'zipped' ? await zippedFiles(dir) : unpackedFiles(dir);
const startedAt = performance.now();
let features = 0;
for (const opener of openers) features += await countFeatures(opener);
const reading: ShapefileReading = { readMs: performance.now() - startedAt, features };
console.log(JSON.stringify(reading));
