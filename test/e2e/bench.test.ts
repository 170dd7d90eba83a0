import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';

const BENCH = fileURLToPath(new URL('../../dist/bench/main.js', import.meta.url));

async function bench(...args: string[]) {
  const child = spawn(process.execPath, [BENCH, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, stdout, stderr };
}

test('a bench of an unreachable service exits with 1 and says so in one line', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const { code, stdout, stderr } = await bench('--url', url, '--key', 'x');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^bench: no service can be reached at http:\/\/127\.0\.0\.1:\d+ \(.*ECONNREFUSED.*\)\n$/);
  expect(await bench('--url', 'nowhere')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^bench: --url is "nowhere"; .*\n$/),
  });
});
