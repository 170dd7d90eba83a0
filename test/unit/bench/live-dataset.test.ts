import { expect, it } from 'vitest';
import { noDataset, openLive } from '../../../bench/lib/live-dataset.js';
import { publishManyProviders } from '../../../bench/providers/many-providers.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

it('a dataset without outlines is none that suites could ask about, which they say', async () => {
  const datasetsDir = temporaryDirectory();
  expect(openLive(datasetsDir)).toBeUndefined();
  // Its one tract has no outline.
  await publishManyProviders(datasetsDir, 1);
  expect(openLive(datasetsDir)).toBeUndefined();
  expect(noDataset(datasetsDir).skipped).toContain(`no dataset with outlines in ${datasetsDir}`);
});
