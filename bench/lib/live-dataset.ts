import { generationPath, readCurrent } from '../../src/catalog/generations.js';
import { type Dataset, openDataset } from '../../src/format/dataset.js';

/** Opens the live generation of a datasets directory; undefined if none is published. Throws FormatError. */
export function openLive(datasetsDir: string): Dataset | undefined {
  const generation = readCurrent(datasetsDir);
  return generation === undefined ? undefined : openDataset(generationPath(datasetsDir, generation));
}
