import { onTestFinished } from 'vitest';
import { generationPath } from '../../src/catalog/generations.js';
import { type Dataset, openDataset } from '../../src/format/dataset.js';
import { createEmbeddedGeocoder } from '../../src/geocode/embedded.js';
import { isMatch } from '../../src/geocode/geocoder.js';
import { type LoadOutcome, load } from './loading.js';
import { type InputTree, writeTree } from './official-files.js';
import { smallInput } from './small-input.js';
import { temporaryDirectory } from './temporary-directory.js';

/** What became of a load, and its dataset, open until the test ends. */
export interface LoadedTree extends LoadOutcome {
  readonly dataset: () => Dataset;
  /** Where the dataset lies. */
  readonly directory: () => string;
}

/** Loads the small input with further files. */
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

/** Where an address is: its tract and what it matched, or why it has none. */
export async function findAddress(
  dataset: Dataset,
  address: string,
): Promise<readonly [tract: string, matched: string]> {
  const found = await createEmbeddedGeocoder(() => dataset).geocode(address);
  if (!isMatch(found)) return ['', found.noMatch];
  const tract = dataset.outlines.locate(found);
  return [tract < 0 ? 'none' : String(dataset.tracts.geoids[tract]), found.matchedAddress];
}
