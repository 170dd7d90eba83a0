import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { openContainer } from '../../../src/format/container-reader.js';
import { type DatasetDescription, decodeDescription, encodeDescription } from '../../../src/format/description.js';
import { openFileSource } from '../../../src/format/file-source.js';
import { readTractsFile, TRACTS_FILE, TRACTS_KIND } from '../../../src/format/tracts-file.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

test('a file with other metrics than the program’s, or in another order, is refused: compile it again', () => {
  const datasetsDir = temporaryDirectory();
  const generation = generationPath(datasetsDir, publishTinyDataset(datasetsDir));
  const container = openContainer(openFileSource(join(generation, TRACTS_FILE)), TRACTS_KIND);
  const written = decodeDescription(container.intactBytes('description'), TRACTS_FILE);
  const readWith = (change: Partial<DatasetDescription>) =>
    readTractsFile({ ...container, intactBytes: () => encodeDescription({ ...written, ...change }) });
  expect(readWith({}).tractCount).toBeGreaterThan(0);
  for (const list of ['metrics', 'comparedMetrics', 'trendMetrics'] as const) {
    for (const other of [written[list].slice(1), written[list].toReversed(), [...written[list], 'more']]) {
      expect(() => readWith({ [list]: other }), list).toThrow(
        expect.objectContaining({ code: 'unsupported-version', section: 'description' }),
      );
    }
  }
  container.release();
});
