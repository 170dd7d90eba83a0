import { onTestFinished } from 'vitest';
import { generationPath } from '../../src/catalog/directory/generations.js';
import { type Dataset, openDataset } from '../../src/format/dataset.js';
import { createEmbeddedGeocoder } from '../../src/geocode/embedded.js';
import { isMatch } from '../../src/geocode/geocoder.js';
import { type LoadOutcome, load } from './loading.js';
import { type InputTree, writeTree } from './official-files.js';
import { smallInput } from './small-input.js';
import { temporaryDirectory } from './temporary-directory.js';

/** The outcome of a load, and access to its dataset. */
export interface LoadedTree extends LoadOutcome {
  /** Opens the dataset until the test ends. Throws the load's error if nothing was published. */
  readonly dataset: () => Dataset;
  /** The directory of the published generation. Throws the load's error if nothing was published. */
  readonly directory: () => string;
}

/** Loads the small input together with further files. */
export async function loadWithAddresses(tree: InputTree, states = ['10', '11']): Promise<LoadedTree> {
  const outputDir = temporaryDirectory();
  const inputDir = writeTree(temporaryDirectory(), { ...smallInput(), ...tree });
  const outcome = await load({
    inputDirs: [inputDir],
    outputDir,
    filter: { states: new Set(states), territories: false },
  });
  const directory = (): string => {
    if (!outcome.published) throw outcome.error;
    return generationPath(outputDir, outcome.published.generation);
  };
  return {
    ...outcome,
    directory,
    dataset: () => {
      const dataset = openDataset(directory());
      onTestFinished(() => dataset.release());
      return dataset;
    },
  };
}

/** Geocodes an address: gives its tract and the matched address, or an empty tract and the reason for no match. */
export async function findAddress(
  dataset: Dataset,
  address: string,
): Promise<readonly [tract: string, matched: string]> {
  const found = await createEmbeddedGeocoder(() => dataset).geocode(address);
  if (!isMatch(found)) return ['', found.noMatch];
  const tract = dataset.outlines.locate(found);
  return [tract < 0 ? 'none' : String(dataset.tracts.geoids[tract]), found.matchedAddress];
}
