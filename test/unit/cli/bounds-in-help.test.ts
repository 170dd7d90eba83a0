import { expect, onTestFinished, test, vi } from 'vitest';
import { run as runKeys } from '../../../src/cli/commands/keys.js';
import { run as runSystem } from '../../../src/cli/commands/system.js';

test.each([
  ['keys rotate', runKeys, '--overlap', '91d', /^ {2}--overlap <time> .* at most 90d;$/m],
  ['keys usage', runKeys, '--days', '93', /^ {2}--days <n> .* at most 92 \(default 30\)$/m],
  ['system audit', runSystem, '--limit', '1001', /^ {2}--limit <n> .* at most 1000 \(default 100\)$/m],
])('the help of %s names the most that it takes', async (command, run, option, beyond, help) => {
  const [, action = ''] = command.split(' ');
  const log = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => log.mockRestore());
  expect(await run([action, '--help'])).toBe(0);
  expect(log.mock.calls.flat().join('\n')).toMatch(help);
  const id = run === runKeys ? ['0123456789abcdef'] : [];
  await expect(run([action, ...id, option, beyond])).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`${option}: ${beyond} is `),
  });
});
