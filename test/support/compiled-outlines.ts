import { join } from 'node:path';
import { generationPath } from '../../src/catalog/directory/generations.js';
import { openDataset } from '../../src/format/dataset.js';
import { type LoadOutcome, load } from './loading.js';
import { type InputTree, type SquareTract, writeTree } from './official-files.js';
import { GEOGRAPHIC_PRJ, shpFile } from './shapefile-writer.js';
import { temporaryDirectory } from './temporary-directory.js';

/** The same tracts moved to the north, so that a test can tell which file's outline was taken. */
export const shifted = (tracts: readonly SquareTract[], degrees: number): SquareTract[] =>
  tracts.map((tract) => ({ ...tract, south: tract.south + degrees }));

/** The result of compiling some files: the outcome, and the tracts' outlines. */
export interface Compiled {
  readonly outcome: LoadOutcome;
  /** The southernmost latitude of each tract's outline, in degrees; undefined if it has no outline. */
  readonly souths: readonly (number | undefined)[];
  /** The westernmost longitude of each ring of each tract's outline, in degrees. */
  readonly wests: readonly (readonly number[])[];
  readonly geoids: readonly number[];
}

/** Compiles the files and reads the published dataset, if there is one. */
export async function compileFiles(tree: InputTree): Promise<Compiled> {
  const root = temporaryDirectory();
  const outputDir = join(root, 'out');
  const outcome = await load({
    inputDirs: [writeTree(join(root, 'in'), tree)],
    outputDir,
    filter: { territories: false },
  });
  if (!outcome.published) return { outcome, souths: [], wests: [], geoids: [] };
  const dataset = openDataset(generationPath(outputDir, outcome.published.generation));
  const souths = [...dataset.tracts.geoids].map((_, row) => {
    const ys = dataset.outlines.rings(row).flatMap((ring) => [...ring].filter((_, at) => at % 2 === 1));
    return ys.length > 0 ? Math.min(...ys) / 1e7 : undefined;
  });
  const wests = souths.map((_, row) =>
    dataset.outlines.rings(row).map((ring) => Math.min(...ring.filter((_, at) => at % 2 === 0)) / 1e7),
  );
  const geoids = [...dataset.tracts.geoids];
  dataset.release();
  return { outcome, souths, wests, geoids };
}

/** A shapefile with arbitrary shapes and attribute rows. */
export const custom = (
  path: string,
  shapes: readonly Parameters<typeof shpFile>[0][number][],
  rows: Buffer,
): InputTree => ({
  [`${path}.shp`]: shpFile(shapes),
  [`${path}.dbf`]: rows,
  [`${path}.prj`]: GEOGRAPHIC_PRJ,
});
