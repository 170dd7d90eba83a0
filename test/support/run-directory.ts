import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../src/platform/package-root.js';

const CLEAN_UP = packageFile('dist', 'test', 'support', 'clean-up-program.js');

/**
 * Gives the run of the tests a temporary directory of its own. However the run ends, interrupted and killed included, another
 * process then ends every process that still has this directory in its environment or arguments, and removes it.
 */
export async function setup(): Promise<() => Promise<void>> {
  const parent = process.env.TMPDIR;
  const directory = mkdtempSync(join(tmpdir(), 'tract-context-run-'));
  process.env.TMPDIR = directory;
  // Detached: in a group of its own, which Ctrl-C does not interrupt. It knows of this process's end by the end of its input.
  const cleanUp = spawn(process.execPath, [CLEAN_UP, directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(cleanUp, 'exit');
  return async () => {
    cleanUp.stdin.end();
    await ended;
    if (parent === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = parent;
  };
}
