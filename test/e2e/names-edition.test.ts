import { expect, onTestFinished, test } from 'vitest';
import { NAMES_EDITION } from '../../src/core/streets/names-edition.js';
import { startService } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

// That others are not warned of, lifecycle.test.ts looks at.
test('a start warns of address ranges whose names another version of the program compiled', async () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir, 0, NAMES_EDITION - 1);
  const service = await startService(datasetsDir);
  onTestFinished(service.kill);
  const line = service
    .output()
    .split('\n')
    .find((text) => text.includes('names-of-another-edition'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    level: 'warn',
    generation,
    edition: NAMES_EDITION - 1,
    expected: NAMES_EDITION,
    // The demo is not compiled from anything.
    msg: expect.stringContaining('with the command demo'),
  });
});
