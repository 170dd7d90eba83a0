import { expect, onTestFinished, test } from 'vitest';
import { NAMES_EDITION } from '../../src/core/streets/names-edition.js';
import { startService } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

/** The log of a start on the dataset, whose addresses are compiled by rules of that edition. */
async function logOf(namesEdition: number): Promise<{ generation: string; output: string }> {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir, 0, namesEdition);
  const service = await startService(datasetsDir);
  onTestFinished(service.kill);
  return { generation, output: service.output() };
}

test('a start warns of address ranges whose names another version of the program compiled', async () => {
  const { generation, output } = await logOf(NAMES_EDITION - 1);
  const line = output.split('\n').find((text) => text.includes('names-of-another-edition'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    level: 'warn',
    generation,
    edition: NAMES_EDITION - 1,
    expected: NAMES_EDITION,
    // The demo is not compiled from anything.
    msg: expect.stringContaining('with the command demo'),
  });
  expect((await logOf(NAMES_EDITION)).output).not.toContain('names-of-another-edition');
});
