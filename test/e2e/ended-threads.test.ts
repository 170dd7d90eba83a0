import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { generationPath } from '../../src/catalog/directory/generations.js';
import { rounds } from '../support/rounds.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

const built = (path: string): string => JSON.stringify(new URL(`../../dist/src/${path}`, import.meta.url).href);

/** Moments at which a thread is ended, from its start until some time after it has done what it is for. */
const MOMENTS = rounds(4, 90);

/**
 * Starts threads in a process of its own, each of them ended a little later after its start than the one before. `start`
 * makes `done`, which resolves when the thread has done what it is for, and `end`. Gives what `onError` was told. Rejects
 * where the process ends by a signal.
 */
async function endAtAnyMoment(start: string): Promise<string[]> {
  const datasetsDir = temporaryDirectory();
  const directory = generationPath(datasetsDir, publishTinyDataset(datasetsDir));
  const program = `
    import { setTimeout as delay } from 'node:timers/promises';
    import { openDataset } from ${built('format/dataset.js')};
    import { createCheckThreads } from ${built('catalog/admin/check-threads.js')};
    import { createQueryPool } from ${built('pool/pool.js')};
    import { createThreads } from ${built('pool/threads.js')};
    const dataset = openDataset(${JSON.stringify(directory)});
    const task = { kind: 'nearby', query: { center: { lat: 45, lng: -95 }, radiusMiles: 5, limit: 25, offset: 0 } };
    const errors = [];
    const onError = (error) => errors.push(String(error));
    const openPool = (most, timeoutMs) => {
      const threads = createThreads({ most, onThreadError: onError });
      const pool = createQueryPool({ threads, dataset, queueMaxTasks: 9, timeoutMs });
      return { run: pool.run, close: () => threads.close().then(pool.close) };
    };
    const start = (milliseconds) => { ${start} };
    const startedAtMs = performance.now();
    const { done, end } = start(60_000);
    await done;
    const takesMs = performance.now() - startedAtMs;
    await end();
    for (let moment = 0; moment < ${MOMENTS}; moment++) {
      const milliseconds = (takesMs * 1.2 * moment) / ${MOMENTS};
      const { end } = start(milliseconds);
      await delay(milliseconds);
      await end();
    }
    console.log(JSON.stringify(errors));
    dataset.release();`;
  const file = join(temporaryDirectory(), 'program.mjs');
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  return z.array(z.string()).parse(JSON.parse(stdout));
}

describe('the process survives when a thread is terminated at any moment', () => {
  test('a thread that checks a generation', async () => {
    const start = `
      const checks = createCheckThreads();
      return { done: checks.verify(dataset.directory).catch(() => {}), end: checks.stop };`;
    expect(await endAtAnyMoment(start)).toEqual([]);
  });

  test('a thread that writes answers', async () => {
    const start = `
      const pool = openPool(2, 60_000);
      return { done: pool.run(task).catch(() => {}), end: () => pool.close() };`;
    expect(await endAtAnyMoment(start)).toEqual([]);
  });

  test('a thread whose answer takes too long', async () => {
    const start = `
      const timeoutMs = Math.max(1, milliseconds);
      const pool = openPool(1, timeoutMs);
      const done = pool.run(task).catch(() => {});
      return { done, end: () => done.then(() => delay(5)).then(() => pool.close()) };`;
    // How many answered before they were ended depends on the machine.
    const others = (await endAtAnyMoment(start)).filter((error) => !error.startsWith('AbortError'));
    expect(others).toEqual([]);
  });
});
