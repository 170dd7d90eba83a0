import { generationPath, readCurrent } from '../../src/catalog/directory/generations.js';
import { type Dataset, openDataset } from '../../src/format/dataset.js';

/**
 * Opens the live generation of a datasets directory; undefined if none is published, or it has no outlines: without them no
 * point is known to lie in a tract. Throws FormatError.
 */
export function openLive(datasetsDir: string): Dataset | undefined {
  const generation = readCurrent(datasetsDir);
  if (generation === undefined) return undefined;
  const dataset = openDataset(generationPath(datasetsDir, generation));
  if (dataset.outlines.outlineCount > 0) return dataset;
  dataset.release();
  return undefined;
}

/** The outcome of a suite that has no dataset to measure. */
export function noDataset(datasetsDir: string): { readonly skipped: string } {
  return {
    skipped: `no dataset with outlines in ${datasetsDir}: compile one there, or give another directory with --dataset`,
  };
}
