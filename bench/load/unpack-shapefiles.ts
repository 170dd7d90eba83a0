import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { discoverFiles } from '../../src/load/files/discover.js';

/** Unpacks all shapefiles below a directory, however packed, into another directory; returns their number. */
export async function unpackShapefiles(inputDir: string, outputDir: string): Promise<number> {
  mkdirSync(outputDir, { recursive: true });
  const { shapefiles } = await discoverFiles([inputDir]);
  let written = 0;
  for (const { shp, dbf } of shapefiles) {
    if (!dbf) continue;
    // Numbered, because two archives may hold files of the same name.
    const stem = join(outputDir, String(written++));
    await pipeline(await shp.open(), createWriteStream(`${stem}.shp`));
    await pipeline(await dbf.open(), createWriteStream(`${stem}.dbf`));
  }
  return written;
}
