import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../../src/platform/package-root.js';
import { runCliWithoutReader } from '../support/cli.js';

const PROGRAM = packageFile('dist', 'program', 'main.js');

describe('a command whose reader went away', () => {
  it.each(['serve', 'compile', 'keys', 'inspect'])('%s --help ends quietly with 0', async (command) => {
    expect(await runCliWithoutReader('stdout', command, '--help')).toEqual({ code: 0, printed: '' });
  });

  it.runIf(existsSync('/dev/full'))(
    'ends with 1 and a line where the disk is full, since nobody was told',
    async () => {
      const command = [process.execPath, PROGRAM, '--help'];
      const child = spawn('sh', ['-c', 'exec "$@" > /dev/full', 'sh', ...command], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const [[code], printed] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
      expect(code).toBe(1);
      expect(printed).toMatch(/^tract-context: the output cannot be written: ENOSPC.*\n$/);
    },
  );

  it('still exits with the code of the failure', async () => {
    expect(await runCliWithoutReader('stderr', 'inspect', '/no/such/directory')).toEqual({ code: 1, printed: '' });
    expect(await runCliWithoutReader('stderr', 'no-such-command')).toEqual({ code: 2, printed: '' });
  });
});
