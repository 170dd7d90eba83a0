import { expect, test } from 'vitest';
import { run } from '../../../src/cli/commands/inspect.js';
import { publishedTinyDirectory } from '../../support/tiny-dataset.js';

test.each(['x', '../generations/x', 'AB'.repeat(16)])('%s as --generation is wrong usage', async (text) => {
  await expect(run([publishedTinyDirectory(), '--generation', text])).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^--generation: \S+ is not a generation \(32 hexadecimal digits, /),
  });
});

test('a generation that is not there is a failure', async () => {
  const [directory, generation] = [publishedTinyDirectory(), 'ab'.repeat(16)];
  await expect(run([directory, '--generation', generation])).rejects.toMatchObject({
    exitCode: 1,
    message: `${directory}: generation ${generation} not found`,
  });
});
