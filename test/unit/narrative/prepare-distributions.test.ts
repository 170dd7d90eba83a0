import { expect, onTestFinished, test, vi } from 'vitest';
import { generationPath } from '../../../src/catalog/generations.js';
import { openDataset } from '../../../src/format/dataset.js';
import { createDistributions } from '../../../src/narrative/distributions.js';
import { prepareDistributions } from '../../../src/narrative/prepare-distributions.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

test('a thread that cannot be started is reported, and distributions are computed on demand', async () => {
  const datasetsDir = temporaryDirectory();
  const opened = openDataset(generationPath(datasetsDir, publishTinyDataset(datasetsDir)));
  onTestFinished(() => opened.release());
  // What cannot be copied into a thread is refused where a thread too many is: while it is made.
  const dataset = { ...opened, mappings: opened.mappings.map((mapping) => ({ ...mapping, copy: () => {} })) };
  const distributions = createDistributions(dataset.tracts);
  const onError = vi.fn();
  const end = prepareDistributions({ dataset, distributions, onError });
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'DataCloneError' }));
  await end();
  expect(distributions.of(0).average).toBeGreaterThan(0);
});
