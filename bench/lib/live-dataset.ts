import { generationPath, readCurrent } from '../../src/catalog/generations.js';
import { type Dataset, openDataset } from '../../src/format/dataset.js';

/** Opens the live generation of a datasets directory; undefined if none is published. Throws FormatError. */
export function openLive(datasetsDir: string): Dataset | undefined {
  const generation = readCurrent(datasetsDir);
  return generation === undefined ? undefined : openDataset(generationPath(datasetsDir, generation));
}

/** The outcome of a suite that has no dataset to measure. */
export function noDataset(datasetsDir: string): { readonly skipped: string } {
  return { skipped: `no dataset in ${datasetsDir}: compile one there, or give another directory with --dataset` };
}
