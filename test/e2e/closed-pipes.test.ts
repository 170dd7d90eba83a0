import { describe, expect, it } from 'vitest';
import { runCliWithoutReader } from '../support/cli.js';

describe('a command whose reader went away', () => {
  it.each(['serve', 'compile', 'keys', 'inspect'])('%s --help ends quietly with 0', async (command) => {
    expect(await runCliWithoutReader('stdout', command, '--help')).toEqual({ code: 0, printed: '' });
  });

  it('still ends with the code of what went wrong', async () => {
    expect(await runCliWithoutReader('stderr', 'inspect', '/no/such/directory')).toEqual({ code: 1, printed: '' });
    expect(await runCliWithoutReader('stderr', 'no-such-command')).toEqual({ code: 2, printed: '' });
  });
});
