import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AddressFiles, addressFilesOf } from '../../src/format/addresses/address-files.js';
import { openAddressShard } from '../../src/format/addresses/shard-reader.js';
import { mapFile } from '../../src/format/byte-source.js';
import { discoverFiles } from '../../src/load/files/discover.js';
import { Intake } from '../../src/load/intake/intake.js';
import { recognizeFiles } from '../../src/load/recognize/recognize.js';
import { writeAddresses } from '../../src/load/write/write-addresses.js';

/** Made-up tracts are the cells of a grid: the available real counties have too few tracts to tell places apart. */
const CELL_DEGREES = 0.05;
const COLUMNS = 7200;

/** The made-up tract at a point. */
export function gridTract({ lat, lng }: { readonly lat: number; readonly lng: number }): number {
  return Math.floor((lat + 90) / CELL_DEGREES) * COLUMNS + Math.floor((lng + 180) / CELL_DEGREES);
}

/** Compiles the official address ranges below a directory; undefined if there are none. */
export async function compileRanges(inputDir: string, outputDir: string): Promise<AddressFiles | undefined> {
  const { shapefiles } = await discoverFiles([inputDir]);
  const { counties } = await recognizeFiles({ shapefiles, others: [], skipped: [] });
  if (counties.length === 0) return undefined;
  mkdirSync(outputDir, { recursive: true });
  const input = { counties, placeFiles: [], segments: [], zipCities: [] };
  const intake = new Intake({ states: undefined, territories: true });
  const quiet = { line: () => {}, step: () => {} };
  const files = await writeAddresses(outputDir, input, intake, gridTract, quiet);
  return addressFilesOf(files.map(({ name }) => openAddressShard(mapFile(join(outputDir, name)))));
}
