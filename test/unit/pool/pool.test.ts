import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createQueryPool, type QueryPool, type QueryPoolOptions } from '../../../src/pool/pool.js';
import type { Task } from '../../../src/pool/protocol.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const TASK: Task = { kind: 'nearby', query: { center: { lat: 45, lng: -95 }, radiusMiles: 5, limit: 25, offset: 0 } };

/** A pool whose worker's `answer` has the given body; `setup` in it is what the worker was told. */
function poolAnswering(body: string, options: Partial<QueryPoolOptions> = {}): QueryPool {
  const file = join(temporaryDirectory(), 'worker.mjs');
  const source = `import { workerData as setup } from 'node:worker_threads';\nexport async function answer(task) { ${body} }\n`;
  writeFileSync(file, source);
  const pool = createQueryPool({
    datasetDirectory: 'somewhere',
    threads: 1,
    queueMaxTasks: 10,
    timeoutMs: 60_000,
    onThreadError: vi.fn(),
    workerFile: pathToFileURL(file),
    ...options,
  });
  onTestFinished(() => pool.close());
  return pool;
}

const ECHO = 'return { ok: true, body: new TextEncoder().encode(JSON.stringify({ setup, task })) };';
const NEVER = 'await new Promise((resolve) => setTimeout(resolve, 1e6));';

test('a task reaches a worker that knows its dataset, and the answer comes back as bytes', async () => {
  const reply = await poolAnswering(ECHO).run(TASK);
  expect(reply).toMatchObject({ ok: true });
  const body = reply.ok ? Buffer.from(reply.body).toString() : '';
  expect(JSON.parse(body)).toEqual({ setup: { datasetDirectory: 'somewhere' }, task: TASK });
});

test('as many tasks as there are threads and places in the queue are taken, one more is refused at once', async () => {
  const pool = poolAnswering(NEVER, { threads: 1, queueMaxTasks: 2 });
  const taken = Array.from({ length: 3 }, () => pool.run(TASK).catch((error: unknown) => error));
  await expect(pool.run(TASK)).rejects.toMatchObject({ name: 'PoolError', code: 'queue-full' });
  await pool.close();
  await expect(Promise.all(taken)).resolves.toMatchObject(Array(3).fill({ code: 'stopped' }));
});

test('an answered task makes room for the next', async () => {
  const pool = poolAnswering(ECHO, { threads: 1, queueMaxTasks: 1 });
  for (let round = 0; round < 5; round++) {
    await expect(Promise.all([pool.run(TASK), pool.run(TASK)])).resolves.toHaveLength(2);
  }
});

test('a task that is not answered in time is given up, and the next one is answered by another thread', async () => {
  const pool = poolAnswering(`if (task.query.offset === 0) ${NEVER} ${ECHO}`, { timeoutMs: 1000 });
  await expect(pool.run(TASK)).rejects.toMatchObject({ name: 'PoolError', code: 'deadline' });
  await expect(pool.run({ ...TASK, query: { ...TASK.query, offset: 1 } })).resolves.toMatchObject({ ok: true });
});

test('closing gives up what is not answered and takes no more', async () => {
  const pool = poolAnswering(NEVER);
  const waiting = pool.run(TASK).catch((error: unknown) => error);
  await pool.close();
  await expect(waiting).resolves.toMatchObject({ code: 'stopped' });
  await expect(pool.run(TASK)).rejects.toMatchObject({ code: 'stopped' });
});

test('a throw in a worker stays an unexpected error', async () => {
  await expect(poolAnswering(`throw new TypeError('bug');`).run(TASK)).rejects.toThrow('bug');
});
