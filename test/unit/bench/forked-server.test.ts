import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startForked } from '../../../bench/lib/forked-server.js';
import { isRunning } from '../../../src/platform/is-running.js';
import { eventually } from '../../support/eventually.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** Starts a script that tells its URL, and then does this. */
async function start(then: string) {
  const script = join(temporaryDirectory(), 'server.cjs');
  writeFileSync(script, `process.send({ url: process.argv[2] }); ${then}`);
  const { pid = 0, ...server } = await startForked(script, ['http://127.0.0.1:1']);
  return { pid, ...server };
}

test('a forked server is known by the URL that it sends, and ends when it is stopped', async () => {
  const { url, pid, stop } = await start(`process.on('disconnect', () => process.exit());`);
  expect(url).toBe('http://127.0.0.1:1');
  expect(isRunning(pid)).toBe(true);
  await stop();
  expect(isRunning(pid)).toBe(false);
});

test('a forked server that has ended by itself can be stopped all the same', async () => {
  const { pid, stop } = await start('process.disconnect();');
  await eventually(() => expect(isRunning(pid)).toBe(false));
  await stop();
});
