import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openState } from '../../src/state/open-state.js';
import { defineCollection } from '../../src/state/store.js';
import { PROGRAM } from '../support/run-program.js';
import { startService, TEST_KEY } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

/** Enough for all that a start writes. */
const LIMIT_KIBIBYTES = 128;

const filler = defineCollection('filler', { key: z.tuple([z.number()]), value: z.string() });

/** A state whose next commit writes beyond the limit, within the space that is taken already. */
async function largeState(directory: string): Promise<void> {
  const state = await openState(directory);
  await state.transact((transaction) => {
    for (let at = 0; at < 300; at++) transaction.put(filler, [at], 'x'.repeat(1000));
  });
  await state.close();
}

function subscribe(url: string): Promise<Response> {
  return fetch(`${url}/v1/webhooks`, {
    method: 'POST',
    headers: { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      url: 'https://hooks.example.org/',
      events: ['data.updated'],
      secret: 'a secret of some length',
    }),
  });
}

test('a service whose commit fails exits with 1 and logs why, and the next one can write again', async () => {
  const [datasets, stateDir] = [temporaryDirectory(), join(temporaryDirectory(), 'state')];
  publishTinyDataset(datasets);
  await largeState(stateDir);
  const args = [PROGRAM, 'serve', '--datasets', datasets, '--port', '0'];
  const env = { API_KEYS: TEST_KEY, STATE_DIR: stateDir, ADMIN_PORT: '0' };
  // What the disk refuses is written in the middle of a commit, where space has been taken: the kernel's limit does the
  // same.
  const child = spawn('bash', ['-c', `ulimit -f ${LIMIT_KIBIBYTES}; exec "$0" "$@"`, process.execPath, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const log: Record<string, unknown>[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const entry: Record<string, unknown> = JSON.parse(line);
    log.push(entry);
    if (entry.event === 'listening') void subscribe(String(entry.url)).catch(() => {});
  }
  expect(await exited).toEqual([1, null]);
  expect(log).toContainEqual(
    expect.objectContaining({ event: 'state-broken', reason: expect.stringContaining(stateDir) }),
  );
  // Lines of requests that were still gathered may come after it.
  expect(log).toContainEqual(
    expect.objectContaining({
      msg: 'fatal: unexpected error',
      error: 'StateError',
      reason: expect.stringContaining(stateDir),
    }),
  );

  const next = await startService(datasets, { STATE_DIR: stateDir });
  expect((await subscribe(next.url)).status).toBe(201);
  next.signal('SIGTERM');
  expect(await next.exited).toBe(0);
});
