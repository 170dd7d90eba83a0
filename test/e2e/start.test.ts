import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram, runToEnd } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

/** Runs `start` where a demo dataset is, and gives what it says to people. */
async function greetingOf(env: Record<string, string>, datasets = 'demo'): Promise<string> {
  const directory = temporaryDirectory();
  publishTinyDataset(join(directory, 'datasets', datasets));
  const child = runProgram(['start', '--port', '0'], { ...env, DATASETS_DIR: `datasets/${datasets}` }, directory);
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

test('the help of start tells its own defaults, and no key', async () => {
  const { code, stdout } = await runToEnd(['start', '--help']);
  expect(code).toBe(0);
  const defaultOf = (name: string) => new RegExp(`\\(${name}\\)\n.*\n.* Default: (.*)\\.\n`).exec(stdout)?.[1];
  expect(['DATASETS_DIR', 'API_KEYS', 'PORT'].map(defaultOf)).toEqual(['datasets/demo', 'made for this run', '8000']);
  expect((await runToEnd(['start', '--print-config'])).stdout).toContain('DATASETS_DIR=datasets/demo\n');
  expect((await runToEnd(['serve', '--help'])).stdout).toContain('Default: datasets/compiled.');
});

test('start says that its data is synthetic and prints a key and a curl line that work as printed', async () => {
  const said = await greetingOf({});
  expect(said).toContain('The data is synthetic: no value was measured.');
  const [, name = '', key = '', url = ''] = /curl -H '([^:']+): ([^']+)' '([^']+)'/.exec(said) ?? [];
  expect(key).toMatch(/^demo-key-[0-9a-f]{24}$/);
  // The small dataset of this test does not reach Minneapolis: the key is good, and the place is looked for.
  const printed = await fetch(url, { headers: { [name]: key } });
  expect(await printed.json()).toMatchObject({ status_code: 404, detail: 'No census tract found for this location' });
  const within = url.replace('lat=44.9778&lng=-93.2650', 'lat=45.05&lng=-94.95');
  expect((await fetch(within, { headers: { [name]: key } })).status).toBe(200);
});

test('start does not call data synthetic that may be measured', async () => {
  expect(await greetingOf({}, 'compiled')).not.toContain('synthetic');
});

test('start makes another key each time', async () => {
  const keyIn = (said: string): string | undefined => /demo-key-[0-9a-f]+/.exec(said)?.[0];
  expect(keyIn(await greetingOf({}))).not.toBe(keyIn(await greetingOf({})));
});

test('start uses the keys that are set and does not print them', async () => {
  const said = await greetingOf({ API_KEYS: 'my-own-key' });
  expect(said).toContain('<one of API_KEYS>');
  expect(said).not.toMatch(/my-own-key|demo-key-/);
});
