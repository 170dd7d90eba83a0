import { once } from 'node:events';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadAdminToken } from '../../src/admin/token.js';
import { freePort } from '../support/free-port.js';
import { variants } from '../support/rounds.js';
import { runHere } from '../support/run-here.js';
import { runProgram } from '../support/run-program.js';
import { runToEnd } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

/** Runs `start` where a dataset is, and gives what it says to people. */
function greetingOf(env: Record<string, string>, datasets = 'demo'): Promise<string> {
  const directory = temporaryDirectory();
  publishTinyDataset(join(directory, 'datasets', datasets));
  return greetingIn(directory, { ...env, DATASETS_DIR: `datasets/${datasets}` });
}

async function greetingIn(directory: string, env: Record<string, string> & { DATASETS_DIR: string }): Promise<string> {
  const child = runProgram(['start', '--port', '0'], env, directory);
  onTestFinished(async () => {
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

test('start says that its data is synthetic and prints a key and a curl line that work as printed', async () => {
  const said = await greetingOf({});
  expect(said).toContain('The data is synthetic: no value was measured.');
  const [, name = '', key = '', url = ''] = /curl -H '([^:']+): ([^']+)' '([^']+)'/.exec(said) ?? [];
  expect(key).toMatch(/^demo-key-[0-9a-f]{24}$/);
  const [, docs = ''] = /^All requests, with examples: (.+)$/m.exec(said) ?? [];
  expect((await fetch(docs)).status).toBe(200);
  // The small dataset of this test does not reach Minneapolis: the key is good, and the place is looked for.
  const printed = await fetch(url, { headers: { [name]: key } });
  expect(await printed.json()).toMatchObject({ status_code: 404, detail: 'No census tract found for this location' });
  const within = url.replace('lat=44.9778&lng=-93.2650', 'lat=45.05&lng=-94.95');
  expect((await fetch(within, { headers: { [name]: key } })).status).toBe(200);
});

test('start recognizes the demo directory however its path is written, and generates a new key each time', async () => {
  const directory = realpathSync(temporaryDirectory());
  publishTinyDataset(join(directory, 'datasets/demo'));
  const keys = new Set<string | undefined>();
  const written = variants(['./datasets/demo/', join(directory, 'datasets', 'demo')], ['datasets/demo/']);
  for (const path of written) {
    const said = await greetingIn(directory, { DATASETS_DIR: path });
    expect([path, said]).toEqual([path, expect.stringContaining('The data is synthetic')]);
    keys.add(/demo-key-[0-9a-f]+/.exec(said)?.[0]);
  }
  expect(keys.size).toBe(written.length);
});

test('start does not call data synthetic that may be real, and uses the keys that are set without printing them', async () => {
  const said = await greetingOf({ API_KEYS: 'my-own-key' }, 'compiled');
  expect(said).not.toContain('synthetic');
  expect(said).toContain('<one of API_KEYS>');
  expect(said).not.toMatch(/my-own-key|demo-key-/);
});

test('start uses the state of serve if it is named', async () => {
  const directory = temporaryDirectory();
  publishTinyDataset(join(directory, 'datasets/demo'));
  await greetingIn(directory, { DATASETS_DIR: 'datasets/demo', STATE_DIR: 'state' });
  expect(existsSync(join(directory, 'state', 'data.mdb'))).toBe(true);
  expect(existsSync(join(directory, 'state-demo'))).toBe(false);
});

// With several processes, processes.test.ts looks at the state, too.
test('start leaves the state of serve alone, and commands find its token even if one of an earlier serve is there, unless a state directory is given', async () => {
  const directory = temporaryDirectory();
  const adminPort = String(await freePort());
  publishTinyDataset(join(directory, 'datasets/demo'));
  await greetingIn(directory, { DATASETS_DIR: 'datasets/demo', ADMIN_PORT: adminPort });
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
