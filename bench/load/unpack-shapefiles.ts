import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { discoverFiles } from '../../src/load/files/discover.js';

/** Writes all shapefiles below a directory, however packed, plainly into another; gives how many there are. */
export async function unpackShapefiles(inputDir: string, outputDir: string): Promise<number> {
  mkdirSync(outputDir, { recursive: true });
  const { shapefiles } = await discoverFiles([inputDir]);
  let written = 0;
  for (const { shp, dbf } of shapefiles) {
    if (!dbf) continue;
    // Numbered: two archives may hold files of one name.
    const stem = join(outputDir, String(written++));
    await pipeline(await shp.open(), createWriteStream(`${stem}.shp`));
    await pipeline(await dbf.open(), createWriteStream(`${stem}.dbf`));
  }
  return written;
}
