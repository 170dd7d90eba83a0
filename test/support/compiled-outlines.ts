import { join } from 'node:path';
import { generationPath } from '../../src/catalog/generations.js';
import { openDataset } from '../../src/format/dataset.js';
import { type LoadOutcome, load } from './loading.js';
import { type InputTree, type SquareTract, writeTree } from './official-files.js';
import { GEOGRAPHIC_PRJ, shpFile } from './shapefile-writer.js';
import { temporaryDirectory } from './temporary-directory.js';

/** The same tract somewhat to the north, to tell whose outline was taken. */
export const shifted = (tracts: readonly SquareTract[], degrees: number): SquareTract[] =>
  tracts.map((tract) => ({ ...tract, south: tract.south + degrees }));

/** What a compile of some files made of their outlines. */
export interface Compiled {
  readonly outcome: LoadOutcome;
  /** Southern end of each tract's outline, in degrees; undefined where it has none. */
  readonly souths: readonly (number | undefined)[];
  readonly geoids: readonly number[];
}

/** Compiles the files and looks into the dataset, where one was published. */
export async function compileFiles(tree: InputTree): Promise<Compiled> {
  const root = temporaryDirectory();
  const outputDir = join(root, 'out');
  const outcome = await load({
    inputDirs: [writeTree(join(root, 'in'), tree)],
    outputDir,
    filter: { territories: false },
  });
  if (!outcome.published) return { outcome, souths: [], geoids: [] };
  const dataset = openDataset(generationPath(outputDir, outcome.published.generation));
  const souths = [...dataset.tracts.geoids].map((_, row) => {
    const ys = dataset.outlines.rings(row).flatMap((ring) => [...ring].filter((_, at) => at % 2 === 1));
    return ys.length > 0 ? Math.min(...ys) / 1e7 : undefined;
  });
  const geoids = [...dataset.tracts.geoids];
  dataset.release();
  return { outcome, souths, geoids };
}

/** A shapefile with any shapes and any rows. */
export const custom = (
  path: string,
  shapes: readonly Parameters<typeof shpFile>[0][number][],
  rows: Buffer,
): InputTree => ({
  [`${path}.shp`]: shpFile(shapes),
  [`${path}.dbf`]: rows,
  [`${path}.prj`]: GEOGRAPHIC_PRJ,
});
