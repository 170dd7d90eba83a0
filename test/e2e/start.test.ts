import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadAdminToken } from '../../src/admin/token.js';
import { freePort } from '../support/free-port.js';
import type { AtEnd } from '../support/listen-locally.js';
import { variants } from '../support/rounds.js';
import { runHere } from '../support/run-here.js';
import { runProgram } from '../support/run-program.js';
import { runToEnd } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

/** Runs `start` in a directory until the end of the test or of the file, and gives what it says to people. */
async function greetingIn(
  directory: string,
  env: Record<string, string> & { DATASETS_DIR: string },
  atEnd: AtEnd = onTestFinished,
): Promise<string> {
  const child = runProgram(['start', '--port', '0'], env, directory);
  atEnd(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('Stop with')) break;
  }
  return said;
}

const keyIn = (said: string): string | undefined => /demo-key-[0-9a-f]{24}(?=')/.exec(said)?.[0];

test('the help of start shows its own defaults, and no key', async () => {
  const { code, stdout } = await runHere(['start', '--help']);
  expect(code).toBe(0);
  const defaultOf = (name: string) => new RegExp(`\\(${name}\\)\n.*\n.* Default: (.*)\\.\n`).exec(stdout)?.[1];
  expect(['DATASETS_DIR', 'STATE_DIR', 'API_KEYS', 'PORT'].map(defaultOf)).toEqual([
    'datasets/demo',
    'state-demo',
    'generated for this run',
    '8000',
  ]);
  expect((await runHere(['start', '--print-config'])).stdout).toContain('DATASETS_DIR=datasets/demo\n');
  expect((await runHere(['serve', '--help'])).stdout).toContain('Default: datasets/compiled.');
});

describe('one start on the demo', () => {
  let directory: string;
  let adminPort: string;
  let said: string;
  const ends: Parameters<AtEnd>[0][] = [];

  beforeAll(async () => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'start-')));
    publishTinyDataset(join(directory, 'datasets/demo'));
    adminPort = String(await freePort());
    const env = { DATASETS_DIR: './datasets/demo/', ADMIN_PORT: adminPort };
    said = await greetingIn(directory, env, (end) => void ends.push(end));
  });

  afterAll(async () => {
    for (const end of ends) await end();
    rmSync(directory, { recursive: true });
  });

  test('says that its data is synthetic and prints a key and a curl line that work as printed', async () => {
    expect(said).toContain('The data is synthetic: no value was measured.');
    const [, name = '', key = '', url = ''] = /curl -H '([^:']+): ([^']+)' '([^']+)'/.exec(said) ?? [];
    expect(key).toBe(keyIn(said));
    const [, docs = ''] = /^All requests, with examples: (.+)$/m.exec(said) ?? [];
    expect((await fetch(docs)).status).toBe(200);
    // The small dataset of this test does not reach Minneapolis: the key is good, and the place is looked for.
    const printed = await fetch(url, { headers: { [name]: key } });
    expect(await printed.json()).toMatchObject({ status_code: 404, detail: 'No census tract found for this location' });
    const within = url.replace('lat=44.9778&lng=-93.2650', 'lat=45.05&lng=-94.95');
    expect((await fetch(within, { headers: { [name]: key } })).status).toBe(200);
  });

  // With several processes, processes.test.ts looks at the state, too.
  test('leaves the state of serve alone, and commands find its token even if one of an earlier serve is there, unless a state directory is given', async () => {
    expect(existsSync(join(directory, 'state'))).toBe(false);
    expect(existsSync(join(directory, 'state-demo', 'data.mdb'))).toBe(true);
    const issue = (...options: string[]) =>
      runToEnd(['keys', 'issue', '--name', 'Acme', ...options], { ADMIN_PORT: adminPort }, directory);
    expect(await issue()).toMatchObject({ code: 0 });
    mkdirSync(join(directory, 'state'));
    loadAdminToken(join(directory, 'state'));
    expect(await issue()).toMatchObject({ code: 0 });
    const named = await issue('--state-dir', 'state');
    expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining('refused the token') });
  });

  test.each(variants(['absolute'], ['with a slash at its end']))(
    'recognizes the demo directory however its path is written, and generates a new key each time: %s',
    async (written) => {
      const path = written === 'absolute' ? join(directory, 'datasets', 'demo') : 'datasets/demo/';
      const another = await greetingIn(directory, { DATASETS_DIR: path });
      expect(another).toContain('The data is synthetic');
      expect(keyIn(another)).toBeDefined();
      expect(keyIn(another)).not.toBe(keyIn(said));
    },
  );
});

test('start does not call data synthetic that may be real, uses the keys that are set without printing them, and the state of serve if that is named', async () => {
  const directory = temporaryDirectory();
  publishTinyDataset(join(directory, 'datasets/compiled'));
  const env = { DATASETS_DIR: 'datasets/compiled', STATE_DIR: 'state', API_KEYS: 'my-own-key' };
  const said = await greetingIn(directory, env);
  expect(said).not.toContain('synthetic');
  expect(said).toContain('<one of API_KEYS>');
  expect(said).not.toMatch(/my-own-key|demo-key-/);
  expect(existsSync(join(directory, 'state', 'data.mdb'))).toBe(true);
  expect(existsSync(join(directory, 'state-demo'))).toBe(false);
});
