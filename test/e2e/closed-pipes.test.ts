import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCliInto, runCliWithoutReader } from '../support/cli.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

describe('a command whose reader went away', () => {
  it.each(['serve', 'keys'])('%s --help ends quietly with 0', async (command) => {
    expect(await runCliWithoutReader('stdout', command, '--help')).toEqual({ code: 0, printed: '' });
  });

  it.runIf(existsSync('/dev/full'))(
    'ends with 1 and a line where the disk is full, since nobody was told',
    async () => {
      const { code, printed } = await runCliInto('/dev/full', 512, '--help');
      expect(code).toBe(1);
      expect(printed).toMatch(/^tract-context: the output cannot be written: ENOSPC.*\n$/);
    },
  );

  it('ends with 1 where a file takes only the beginning of the output', async () => {
    const file = join(temporaryDirectory(), 'help.txt');
    const { code, printed } = await runCliInto(file, 512, '--help');
    expect(statSync(file).size).toBe(512);
    expect(code).toBe(1);
    expect(printed).toMatch(/^tract-context: the output cannot be written: EFBIG.*\n$/);
  });

  it('still exits with the code of the failure', async () => {
    expect(await runCliWithoutReader('stderr', 'inspect', '/no/such/directory')).toEqual({ code: 1, printed: '' });
    expect(await runCliWithoutReader('stderr', 'no-such-command')).toEqual({ code: 2, printed: '' });
  });
});
