import { expect, test } from 'vitest';
import { withProgress } from '../../../src/cli/with-progress.js';

/** What is on each line of a terminal, or of another stream, where work has failed and its error has been written. */
async function linesWhereWorkFails(isTTY: boolean): Promise<string[]> {
  let written = '';
  const stream = { isTTY, write: (text: string) => (written += text) };
  const failing = withProgress(async (progress) => {
    progress.step('reading tables', 1, 2);
    throw new Error('broken quoting');
  }, stream);
  await expect(failing).rejects.toThrow('broken quoting');
  stream.write('compile: broken quoting\n');
  // A carriage return and the sequence behind it take away what is on the line.
  return written.split('\n').map((line) => line.split('\r\x1b[2K').at(-1) ?? '');
}

test.each([true, false])('an error stands on a line of its own, not behind a bar (terminal: %s)', async (isTTY) => {
  expect(await linesWhereWorkFails(isTTY)).toEqual(['compile: broken quoting', '']);
});
