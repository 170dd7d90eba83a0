import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { blockThread } from '../../../src/platform/block-thread.js';
import { createQueryPool, type QueryPool, type QueryPoolOptions } from '../../../src/pool/pool.js';
import { type BatchReply, type Task, toSent } from '../../../src/pool/protocol.js';
import type { Reply } from '../../../src/pool/request.js';
import { createThreads, type Threads, type ThreadsOptions } from '../../../src/pool/threads.js';
import { warmPool } from '../../../src/pool/warm-pool.js';
import { eventually } from '../../support/eventually.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const TASK: Task = { kind: 'nearby', query: { center: { lat: 45, lng: -95 }, radiusMiles: 5, limit: 25, offset: 0 } };
const DATASET = { directory: 'somewhere', mappings: [] };
/** Tells the worker which task it is. */
const numbered = (row: number): Task => ({ kind: 'rankings', row });

interface PoolOptions extends Omit<QueryPoolOptions, 'threads' | 'dataset'>, Omit<ThreadsOptions, 'most'> {
  readonly threads: number;
}

/**
 * A pool whose worker answers each task with the JSON of what the given body returns. It knows `task`, the whole `batch`,
 * the memory `lent` for it, the tasks `seen` so far, the `dataset` that the batch is about, the numbers of those that are
 * `attached`, and `setup`, which is what the worker was told.
 */
function poolAnswering(body: string, options: Partial<PoolOptions> = {}): QueryPool {
  const { threads: most = 1, onThreadError = vi.fn(), workerFile = workerAnswering(body), ...rest } = options;
  return poolOver(threadsFrom({ most, onThreadError, workerFile }), rest);
}

function threadsFrom(options: ThreadsOptions): Threads {
  const threads = createThreads(options);
  onTestFinished(() => threads.close());
  return threads;
}

function poolOver(threads: Threads, options: Partial<Omit<QueryPoolOptions, 'threads'>> = {}): QueryPool {
  const pool = createQueryPool({ threads, dataset: DATASET, queueMaxTasks: 10, timeoutMs: 60_000, ...options });
  onTestFinished(() => pool.close());
  return pool;
}

/**
 * Two pools that share a thread, which a busy machine takes longer to start than a search may take: `patient` waits for it,
 * and `hasty` gives up after `timeoutMs`.
 */
function patientAndHasty(body: string, { timeoutMs = 200, onThreadError = vi.fn() } = {}) {
  const threads = threadsFrom({ most: 1, onThreadError, workerFile: workerAnswering(body) });
  return { patient: poolOver(threads), hasty: poolOver(threads, { timeoutMs }) };
}

/** The file of such a worker. It says that it is up at once, or when it is given that batch. */
function workerAnswering(body: string, upAtBatch = 0): URL {
  const file = join(temporaryDirectory(), 'worker.mjs');
  const source = `
    import { once } from 'node:events';
    import { workerData as setup } from 'node:worker_threads';
    const seen = [];
    const datasets = new Map();
    async function one(task, batch, lent, dataset, attached) { ${body} }
    export async function serve(port) {
      let batches = 0;
      const begin = () => batches++ === ${upAtBatch} && port.postMessage('up');
      begin();
      port.on('message', async (order) => {
        if ('attach' in order) datasets.set(order.attach, order.dataset);
        else if ('detach' in order) {
          datasets.delete(order.detach);
          port.postMessage({ detached: order.detach });
        } else {
          begin();
          port.postMessage(await answer(order));
        }
      });
      await once(port, 'close');
    }
    async function answer({ from, tasks: batch, lent }) {
      const outcomes = [];
      const pieces = [];
      let end = 0;
      for (const task of batch) {
        try {
          const piece = Buffer.from(JSON.stringify(await one(task, batch, lent, datasets.get(from), [...datasets.keys()])));
          seen.push(task);
          pieces.push(piece);
          outcomes.push([0, end, end + piece.length, 0.5]);
          end += piece.length;
        } catch (error) {
          outcomes.push({ thrown: error });
        }
      }
      return { ok: true, buffers: [new Uint8Array(Buffer.concat(pieces)).buffer], outcomes };
    }`;
  writeFileSync(file, source);
  return pathToFileURL(file);
}

/** Long enough for the thread to be ended meanwhile. */
const SOON = 'await new Promise((resolve) => setTimeout(resolve, 200));';
const NEVER = 'await new Promise((resolve) => setTimeout(resolve, 1e6));';
const THREAD = `return (await import('node:worker_threads')).threadId;`;
const DIE_AT_13 = 'if (task.row === 13) process.exit(1);';

const NO_THREAD = Object.assign(new Error('no thread to spare'), { code: 'ERR_WORKER_INIT_FAILED' });

/**
 * Has the machine refuse every thread, as one does that has reached its limit, until the function that it gives is
 * called.
 */
function refuseThreads(): () => void {
  // Piscina looks the constructor up there each time.
  const threads: typeof import('node:worker_threads') = createRequire(import.meta.url)('node:worker_threads');
  const spy = vi.spyOn(threads, 'Worker').mockImplementation(function refuse() {
    throw NO_THREAD;
  });
  const end = (): void => spy.mockRestore();
  onTestFinished(end);
  return end;
}

const read = (reply: Reply): unknown => (reply.ok ? JSON.parse(reply.body.toString()) : reply);
const firstOf = (reply: BatchReply): Reply =>
  reply.ok ? { ok: true, body: Buffer.from(reply.buffers[0] ?? expect.fail('there is no answer')) } : reply;
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : error);

test('a task reaches a worker that knows its dataset, and the answer comes back as bytes with its times', async () => {
  const reply = await poolAnswering('return { setup, dataset, task };').run(TASK);
  expect(read(reply)).toEqual({ setup: { gate: {} }, dataset: DATASET, task: toSent(TASK) });
  expect(reply).toMatchObject({ times: { queryMs: 0.5, queueMs: expect.any(Number) } });
});

test('in an endless turn of the event loop, answers are received and further batches sent all the same', async () => {
  const pool = poolAnswering('return task.row ?? -1;', { queueMaxTasks: 10_000 });
  await pool.run(TASK);
  const answers: unknown[] = [];
  const ask = (row: number): void =>
    void pool.offer(numbered(row))?.then(
      (reply) => answers.push(read(reply)),
      () => {},
    );
  for (let row = 0; row < 40; row++) ask(row);
  const endsAtMs = performance.now() + 10_000;
  // Promises go on, and nothing else of the event loop; more than one batch is needed.
  while (answers.length < 40 && performance.now() < endsAtMs) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    for (let row = 0; row < 8; row++) ask(1000 + row);
    for (let tick = 0; tick < 10; tick++) await Promise.resolve();
  }
  expect(answers.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, row) => row));
});

test('tasks of one turn are sent in one batch, and each gets its own answer', async () => {
  const pool = poolAnswering('return [task.row, batch.length];', { queueMaxTasks: 100 });
  const replies = await Promise.all(Array.from({ length: 12 }, (_, row) => pool.run(numbered(row))));
  expect(replies.map(read)).toEqual(Array.from({ length: 12 }, (_, row) => [row, 12]));
});

test('a large turn’s first tasks are sent before the turn ends', async () => {
  const pool = poolAnswering('return batch.length;', { threads: 1, queueMaxTasks: 100 });
  // Looked at when a task is about to be sent.
  const gone = vi.fn(() => false);
  const ask = (): Promise<unknown> => pool.run(TASK, { gone });
  const first = Array.from({ length: 31 }, ask);
  expect(gone).not.toHaveBeenCalled();
  first.push(ask());
  expect(gone).toHaveBeenCalled();
  await Promise.all(first);
});

test('the tasks of one turn are shared between the threads', async () => {
  const pool = poolAnswering('return batch.length;', { threads: 2, queueMaxTasks: 100 });
  const replies = await Promise.all(Array.from({ length: 16 }, (_, row) => pool.run(numbered(row))));
  expect(replies.map(read)).toEqual(Array(16).fill(8));
});

test('warming starts and uses every thread', async () => {
  const pool = poolAnswering(THREAD, { threads: 3 });
  const searches = new Map<unknown, number>();
  const runAlone: QueryPool['runAlone'] = async (task) => {
    const reply = await pool.runAlone(task);
    searches.set(read(reply), (searches.get(read(reply)) ?? 0) + 1);
    return reply;
  };
  await warmPool({ runAlone }, { tractCount: 1, lats: Float64Array.of(45), lngs: Float64Array.of(-95) }, 3);
  expect(searches.size).toBe(3);
  expect(Math.min(...searches.values())).toBeGreaterThan(100);
});

test('tasks beyond the threads and the queue are refused at once', async () => {
  const pool = poolAnswering(NEVER, { threads: 1, queueMaxTasks: 2 });
  const taken = Array.from({ length: 3 }, () => pool.run(TASK).catch((error: unknown) => error));
  await expect(pool.run(TASK)).rejects.toMatchObject({ name: 'PoolError', code: 'queue-full' });
  expect(pool.offer(TASK)).toBeUndefined();
  await pool.close();
  await expect(Promise.all(taken)).resolves.toMatchObject(Array(3).fill({ code: 'stopped' }));
});

test('the time that the event loop’s turn has taken so far counts as waiting', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1000);
  onTestFinished(() => clock.mockRestore());
  const pool = poolAnswering(NEVER, { threads: 1, queueMaxTasks: 100_000 });
  const admits = (): boolean => {
    const reply = pool.offer(TASK);
    reply?.catch(() => {});
    return reply !== undefined;
  };
  expect(admits()).toBe(true);
  clock.mockReturnValue(1015);
  let admitted = 0;
  while (admits()) admitted++;
  // A queue of 5 ms instead of 20, and a burst of 250, where each task is expected to take 0.03.
  expect(admitted).toBeCloseTo(255 / 0.03, -2);
});

test('a refusal sends the waiting tasks at once, since such a turn can be long', async () => {
  const pool = poolAnswering('return task.row;', { threads: 1, queueMaxTasks: 1 });
  const gone = vi.fn(() => false);
  const taken = [1, 2].map((row) => pool.run(numbered(row), { gone }));
  expect(gone).not.toHaveBeenCalled();
  expect(pool.offer(TASK)).toBeUndefined();
  expect(gone).toHaveBeenCalledTimes(2);
  expect((await Promise.all(taken)).map(read)).toEqual([1, 2]);
});

test('an answered task makes room for the next', async () => {
  const pool = poolAnswering('return 1;', { threads: 1, queueMaxTasks: 1 });
  for (let round = 0; round < 5; round++) {
    await expect(Promise.all([pool.run(TASK), pool.run(TASK)])).resolves.toHaveLength(2);
  }
});

test('the threads’ times are learned, and with them how much work may wait', async () => {
  const threads = threadsFrom({ most: 1, onThreadError: vi.fn(), workerFile: workerAnswering('return 1') });
  const before = threads.expected.expectMs(TASK);
  await poolOver(threads).run(TASK);
  expect(threads.expected.expectMs(TASK)).toBeCloseTo(before + (0.5 - before) * 0.05, 10);
});

test('a task that misses its deadline fails, and another thread answers the next one', async () => {
  const onThreadError = vi.fn();
  const { patient, hasty } = patientAndHasty(`if (task.row === 13) ${NEVER} return seen;`, { onThreadError });
  await patient.run(numbered(1));
  await expect(hasty.run(numbered(13))).rejects.toMatchObject({ name: 'PoolError', code: 'deadline' });
  expect(read(await patient.run(numbered(2)))).toEqual([]);
  expect(onThreadError).toHaveBeenCalledOnce();
});

test('a thread that takes longer for its first batch than a search may take is kept: its successor would be no faster', async () => {
  const onThreadError = vi.fn();
  const slowly = SOON.replace('200', '500');
  const pool = poolAnswering(`if (seen.length === 0) ${slowly} return seen;`, { timeoutMs: 250, onThreadError });
  await expect(pool.run(numbered(1))).rejects.toMatchObject({ name: 'PoolError', code: 'deadline' });
  await eventually(async () => expect(read(await pool.run(numbered(2)))).toContainEqual(numbered(1)));
  expect(onThreadError).not.toHaveBeenCalled();
});

test('a thread whose first search has no end is terminated, too', async () => {
  const onThreadError = vi.fn();
  const pool = poolAnswering(`if (task.row === 13) ${NEVER} return seen;`, { timeoutMs: 50, onThreadError });
  await expect(pool.run(numbered(13))).rejects.toMatchObject({ name: 'PoolError', code: 'deadline' });
  await eventually(() => pool.run(numbered(2)));
  expect(onThreadError).toHaveBeenCalledWith(expect.objectContaining({ name: 'AbortError' }));
});

test('a thread that answers before it is terminated is kept', async () => {
  const onThreadError = vi.fn();
  // It cannot be ended before it is up, which it says when it has the second batch.
  const workerFile = workerAnswering(`${SOON} return seen;`, 2);
  const threads = threadsFrom({ most: 1, onThreadError, workerFile }).attach(DATASET);
  const ask = (row: number, thenEnd = false): Promise<BatchReply> =>
    new Promise((answered, reject) => {
      const waiter = { answered, lost: () => reject(new Error('lost')) };
      threads.answer({ tasks: [numbered(row)] }, waiter);
      if (thenEnd) threads.end(waiter);
    });
  await ask(1, true);
  expect(read(await ask(2).then(firstOf))).toEqual([numbered(1)]);
  expect(onThreadError).not.toHaveBeenCalled();
});

test('a task whose client is gone before it is sent is not computed', async () => {
  const pool = poolAnswering('return seen;');
  const gone = pool.run(numbered(1), { gone: () => true });
  const there = pool.run(numbered(2), { gone: () => false });
  await expect(gone).rejects.toMatchObject({ name: 'PoolError', code: 'client-gone' });
  expect(read(await there)).toEqual([]);
  expect(read(await pool.run(numbered(3)))).toEqual([numbered(2)]);
});

test('a thread that ends in the middle of a batch fails the tasks of that batch, and is replaced', async () => {
  const onThreadError = vi.fn();
  const pool = poolAnswering(`${DIE_AT_13} return task.row;`, { onThreadError });
  const lost = await Promise.all([1, 13, 2].map((row) => pool.run(numbered(row)).catch(codeOf)));
  expect(lost).toEqual(Array(3).fill('thread-lost'));
  expect(read(await pool.run(numbered(3)))).toBe(3);
  expect(onThreadError).toHaveBeenCalledOnce();
});

test('an answer that was sent before its thread ended is delivered, even if the event loop sees both at once', async () => {
  const onThreadError = vi.fn();
  const pool = poolAnswering('if (task.row === 13) setImmediate(() => process.exit(1)); return seen;', {
    onThreadError,
  });
  await pool.run(numbered(1));
  for (let round = 0; round < 5; round++) {
    const asked = pool.run(numbered(13));
    await delay(0);
    blockThread(200);
    expect(read(await asked)).toEqual(round === 0 ? [numbered(1)] : []);
    await eventually(() => expect(onThreadError).toHaveBeenCalledTimes(round + 1));
  }
});

test('a thread that ends while it is idle is reported, and replaced ahead of the next task', async () => {
  const onThreadError = vi.fn();
  const workerFile = workerAnswering('if (task.row === 13) setTimeout(() => process.exit(1)); return seen;');
  const starts = join(temporaryDirectory(), 'starts');
  appendFileSync(workerFile, `(await import('node:fs')).appendFileSync(${JSON.stringify(starts)}, '.');`);
  const pool = poolAnswering('', { workerFile, onThreadError });
  await pool.run(numbered(13));
  await eventually(() => expect(onThreadError).toHaveBeenCalledOnce());
  await eventually(() => expect(readFileSync(starts, 'utf8')).toBe('..'));
  expect(read(await pool.run(numbered(1)))).toEqual([]);
});

test('a dataset is let go of only when a thread that was terminated in the middle of a search has ended', async () => {
  const pipe = join(temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Like a long copy, the opening of a pipe that has no writer is nothing that a termination interrupts.
  const answer = `(await import('node:fs')).openSync(${JSON.stringify(pipe)}, 'r');`;
  const onThreadError = vi.fn();
  // By then the thread has to have come as far as that.
  const pool = poolAnswering(answer, { timeoutMs: 3000, onThreadError });
  expect(await pool.run(TASK).catch(codeOf)).toBe('deadline');
  await eventually(() => expect(onThreadError).toHaveBeenCalledOnce());
  let isClosed = false;
  const closed = pool.close().then(() => {
    isClosed = true;
  });
  await delay(300);
  expect(isClosed).toBe(false);
  // Fails, rather than wait for ever, where nobody reads.
  closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
  await closed;
});

test('a thread that answered and ended before the event loop heard that it was up is replaced ahead of the next task', async () => {
  const directory = temporaryDirectory();
  const [file, starts, answering] = ['worker.mjs', 'starts', 'answering'].map((name) => join(directory, name));
  if (!file || !starts || !answering) throw new Error('no paths');
  const source = `
    import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(starts)}, '.');
    export async function serve(port) {
      // The second thread, which is not to be waited for.
      if (existsSync(${JSON.stringify(answering)})) port.postMessage('up');
      port.on('message', (order) => {
        if ('detach' in order) port.postMessage({ detached: order.detach });
        if (!('tasks' in order)) return;
        writeFileSync(${JSON.stringify(answering)}, '');
        // Until the event loop of the main thread is held up.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
        port.postMessage('up');
        port.postMessage({ ok: true, buffers: [Uint8Array.of(0x31).buffer], outcomes: [[0, 0, 1, 0.5]] });
        process.exit(1);
      });
      await new Promise(() => {});
    }`;
  writeFileSync(file, source);
  const pool = poolAnswering('', { workerFile: pathToFileURL(file) });
  const asked = pool.run(TASK);
  while (!existsSync(answering)) await new Promise(setImmediate);
  blockThread(500);
  expect(read(await asked)).toBe(1);
  await eventually(() => expect(readFileSync(starts, 'utf8')).toBe('..'));
});

test('if no thread can be started, each task fails and the failure is reported', async () => {
  const onThreadError = vi.fn();
  // Piscina refuses what is no file, as the system refuses one more descriptor: by a throw.
  const pool = poolAnswering('', { workerFile: new URL('https://example.org/worker.js'), onThreadError });
  const asked = [pool.run(TASK), pool.run(TASK)];
  for (const answer of asked) expect(await answer.catch(codeOf)).toBe('thread-lost');
  // For both, which are one batch, and once ahead of any question.
  await eventually(() => expect(onThreadError).toHaveBeenCalledTimes(2));
});

test('if a terminated thread cannot be replaced, tasks fail until a thread can be started again', async () => {
  const onThreadError = vi.fn();
  const { patient, hasty } = patientAndHasty(`if (task.row === 13) { ${NEVER} } return seen;`, { onThreadError });
  await patient.run(numbered(1));
  const overrun = hasty.run(numbered(13)).catch(codeOf);
  const spared = refuseThreads();
  expect(await overrun).toBe('deadline');
  for (let row = 2; row < 7; row++) expect(await patient.run(numbered(row)).catch(codeOf)).toBe('thread-lost');
  expect(onThreadError.mock.calls.map(([error]) => codeOf(error))).toEqual([
    expect.objectContaining({ name: 'AbortError' }),
    // Ahead of the questions, and for each.
    ...Array(6).fill('ERR_WORKER_INIT_FAILED'),
  ]);
  spared();
  expect(read(await patient.run(numbered(3)))).toEqual([]);
  const startedAtMs = performance.now();
  await Promise.all([patient.close(), hasty.close()]);
  expect(performance.now() - startedAtMs).toBeLessThan(5_000);
});

test('a thread that could not be started leaves room for another later', async () => {
  const onThreadError = vi.fn();
  const pool = poolAnswering(`${SOON} ${THREAD}`, { threads: 2, onThreadError });
  const askTwo = (): Promise<unknown[]> => Promise.all([1, 2].map(() => pool.runAlone(TASK).then(read, codeOf)));
  await pool.run(TASK);
  const spared = refuseThreads();
  expect(await askTwo()).toEqual([expect.any(Number), 'thread-lost']);
  spared();
  for (let round = 0; round < 2; round++) {
    const threads = await askTwo();
    expect(threads).toEqual([expect.any(Number), expect.any(Number)]);
    expect(new Set(threads).size).toBe(2);
  }
  expect(onThreadError).toHaveBeenCalledExactlyOnceWith(NO_THREAD);
});

test('a pool of which a thread could not be started can be closed', async () => {
  const pool = poolAnswering(`${SOON} return 1;`, { threads: 2 });
  await pool.run(TASK);
  refuseThreads();
  await Promise.all([1, 2].map(() => pool.runAlone(TASK).catch(codeOf)));
  // Vitest fails where a promise is rejected that nobody handles.
  await pool.close();
});

test('a thread that fails to load beside another fails its batch at once', async () => {
  const workerFile = workerAnswering(`${SOON} return 1;`);
  const flaw = join(temporaryDirectory(), 'flaw.mjs');
  writeFileSync(flaw, '');
  appendFileSync(workerFile, `await import(${JSON.stringify(flaw)});`);
  const pool = poolAnswering('', { workerFile, threads: 2 });
  await pool.run(TASK);
  rmSync(flaw);
  const asked = [1, 2].map(() => pool.runAlone(TASK).then(() => 'answered', codeOf));
  expect(await Promise.all(asked)).toEqual(['answered', 'thread-lost']);
});

test('a thread that fails to load fails its batch at once, and only the next task starts another', async () => {
  // None is started a moment after the start.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const onThreadError = vi.fn();
  const workerFile = workerAnswering('return task.row;');
  const flaw = join(temporaryDirectory(), 'flaw.mjs');
  appendFileSync(workerFile, `await import(${JSON.stringify(flaw)});`);
  const pool = poolAnswering('', { workerFile, onThreadError });
  for (let row = 0; row < 4; row++) expect(await pool.run(numbered(row)).catch(codeOf)).toBe('thread-lost');
  // Long enough for several that nobody has asked for.
  await delay(300);
  expect(onThreadError.mock.calls.map(([error]) => codeOf(error))).toEqual(Array(4).fill('ERR_MODULE_NOT_FOUND'));
  writeFileSync(flaw, '');
  expect(read(await pool.run(numbered(13)))).toBe(13);
});

test('all threads but one end when they have been idle for a while', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const onThreadError = vi.fn();
  const pool = poolAnswering(THREAD, { threads: 2, onThreadError });
  const askBoth = async () => new Set((await Promise.all(Array.from({ length: 8 }, () => pool.run(TASK)))).map(read));
  const before = await askBoth();
  expect(before.size).toBe(2);
  const stillBoth = async (): Promise<void> => expect(await askBoth()).toEqual(before);
  await stillBoth();
  // Each answer restarts the time.
  for (let round = 0; round < 2; round++) {
    await vi.advanceTimersByTimeAsync(40_000);
    await stillBoth();
  }
  await eventually(async () => {
    await vi.advanceTimersByTimeAsync(60_000);
    // The threads themselves tell Piscina that they are free.
    await delay(50);
    await vi.advanceTimersByTimeAsync(1_000);
    const after = await askBoth();
    expect(after.size).toBe(2);
    expect([...after].filter((thread) => before.has(thread))).toHaveLength(1);
  });
  expect(onThreadError).not.toHaveBeenCalled();
});

test('a thread that works for longer than another may be idle is left to finish', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { code, begun, goOn } = longTask13();
  const pool = poolAnswering(`${code} return task.row;`, { threads: 2 });
  await Promise.all([1, 2].map((row) => pool.runAlone(numbered(row))));
  const long = pool.runAlone(numbered(13));
  await begun();
  // The other thread's, whose idle time begins later.
  await pool.run(numbered(3));
  await vi.advanceTimersByTimeAsync(60_000);
  goOn();
  expect(read(await long)).toBe(13);
  let isClosed = false;
  void pool.close().then(() => {
    isClosed = true;
  });
  // Piscina ends the other thread by a timer.
  await eventually(async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isClosed).toBe(true);
  });
});

test('under load, a thread that ends fails only the tasks of its batch', async () => {
  const pool = poolAnswering(`${DIE_AT_13} return batch.map(({ row }) => row);`, { threads: 2, queueMaxTasks: 1000 });
  const answers: unknown[] = [];
  const ask = async (first: number): Promise<void> => {
    for (let row = first; row < 400; row += 8) answers[row] = await pool.run(numbered(row)).then(read, codeOf);
  };
  await Promise.all(Array.from({ length: 8 }, (_, first) => ask(first)));
  const lost = answers.flatMap((answer, row) => (answer === 'thread-lost' ? [row] : []));
  expect(lost).toContain(13);
  // Eight ask at a time, so that no batch has more.
  expect(lost.length).toBeLessThanOrEqual(8);
  expect(answers.filter(Array.isArray)).toHaveLength(400 - lost.length);
});

test('a query that throws fails its own task only, with the error that it threw', async () => {
  const pool = poolAnswering(`if (task.row === 13) throw new TypeError('bug'); return task.row;`);
  const [before, broken, after] = [12, 13, 14].map((row) => pool.run(numbered(row)));
  await expect(broken).rejects.toThrow(new TypeError('bug'));
  expect([await before, await after].map((reply) => reply && read(reply))).toEqual([12, 14]);
});

test('closing fails unanswered tasks and refuses new ones', async () => {
  const pool = poolAnswering(NEVER);
  const waiting = pool.run(TASK).catch((error: unknown) => error);
  await pool.close();
  await expect(waiting).resolves.toMatchObject({ code: 'stopped' });
  await expect(pool.run(TASK)).rejects.toMatchObject({ code: 'stopped' });
});

const BOX: Task = {
  kind: 'providers-in-box',
  query: { west: -78, south: 38, east: -76, north: 40, type: 'all', limit: 1 },
};
/** Counts the batches that this memory was lent for, and says so. */
const COUNT_LOANS = 'return [lent?.byteLength, lent && ++new Uint8Array(lent)[2 ** 20]];';

test('large answers get lent memory, which is lent again after each of them', async () => {
  const pool = poolAnswering(COUNT_LOANS);
  const loans = [];
  for (let turn = 0; turn < 3; turn++) loans.push(read(await pool.run(BOX)));
  expect(loans).toEqual([1, 2, 3].map((count) => [4 * 2 ** 20, count]));
  expect(read(await pool.run(TASK))).toEqual([null, null]);
});

test('memory lent to a terminated thread is never lent again: the thread may go on writing', async () => {
  const body = `if (task.query?.limit === 13) { ${NEVER} } ${COUNT_LOANS}`;
  const { patient, hasty: pool } = patientAndHasty(body, { timeoutMs: 1000 });
  await patient.run(TASK);
  expect(read(await pool.run(BOX))).toEqual([4 * 2 ** 20, 1]);
  const overrun = pool.run({ ...BOX, query: { ...BOX.query, limit: 13 } });
  await expect(overrun.catch(codeOf)).resolves.toBe('deadline');
  // Until another thread is up, which takes a busy machine long.
  const answer = await vi.waitFor(() => pool.run(BOX), { timeout: 30_000 });
  expect(read(answer)).toEqual([4 * 2 ** 20, 1]);
});

test('threads that end with lent memory, however many, leave others as much to be lent', async () => {
  const pool = poolAnswering(`if (task.query.limit === 13) process.exit(1); ${COUNT_LOANS}`);
  for (let lost = 0; lost < 6; lost++) {
    const dying = pool.run({ ...BOX, query: { ...BOX.query, limit: 13 } });
    await expect(dying.catch(codeOf)).resolves.toBe('thread-lost');
  }
  expect(read(await pool.run(BOX))).toEqual([4 * 2 ** 20, 1]);
});

/** Two pools over datasets of their own, which share threads. */
function twoPools(body: string, { most = 1, timeoutMs = 60_000, onThreadError = vi.fn() } = {}) {
  const threads = threadsFrom({ most, onThreadError, workerFile: workerAnswering(body) });
  const [one, other] = ['one', 'other'].map((directory) =>
    poolOver(threads, { dataset: { directory, mappings: [] }, timeoutMs }),
  );
  if (!one || !other) throw new Error('no pools');
  return { one, other };
}
/** Code by which the worker tells that task 13 has begun, and a wait for that. */
function beginningOf13() {
  const file = join(temporaryDirectory(), 'begun');
  const code = `if (task.row === 13) (await import('node:fs')).writeFileSync(${JSON.stringify(file)}, '');`;
  return { code, begun: () => eventually(() => expect(existsSync(file)).toBe(true)) };
}
/** The same for a task 13 that takes until it is to go on. */
function longTask13() {
  const beginning = beginningOf13();
  const file = join(temporaryDirectory(), 'go-on');
  const wait = `while (!(await import('node:fs')).existsSync(${JSON.stringify(file)})) ${BLOCKED.replace('1e6', '5')}`;
  return {
    ...beginning,
    code: `${beginning.code} if (task.row === 13) { ${wait} }`,
    goOn: () => writeFileSync(file, ''),
  };
}
const BLOCKED = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1e6);';
const BLOCKED_AT_13 = `if (task.row === 13) ${BLOCKED}`;

test('a thread answers from every dataset that is attached, and knows the others no more', async () => {
  const body = `return [(await import('node:worker_threads')).threadId, dataset.directory, attached.length];`;
  const { one, other } = twoPools(body);
  const first = read(await one.run(TASK));
  expect(first).toEqual([expect.any(Number), 'one', 2]);
  const [thread] = z.tuple([z.number()]).rest(z.unknown()).parse(first);
  expect(read(await other.run(TASK))).toEqual([thread, 'other', 2]);
  await one.close();
  expect(read(await other.run(TASK))).toEqual([thread, 'other', 1]);
});

test('a thread that starts later knows the datasets that were attached before', async () => {
  const { one, other } = twoPools(`${DIE_AT_13} return dataset.directory;`);
  await expect(one.run(numbered(13))).rejects.toMatchObject({ code: 'thread-lost' });
  expect([read(await other.run(TASK)), read(await one.run(TASK))]).toEqual(['other', 'one']);
});

test('pools that ask more than the threads can do at a time take turns', async () => {
  const { one, other } = twoPools('return [dataset.directory, task.row];');
  const asked = [1, 2, 3].flatMap((row) => [one.runAlone(numbered(row)), other.runAlone(numbered(row))]);
  expect((await Promise.all(asked)).map(read)).toEqual(
    [1, 2, 3].flatMap((row) => [
      ['one', row],
      ['other', row],
    ]),
  );
});

test('a batch that is given up while it waits for a thread is lost at once, and no thread is terminated for it', async () => {
  const onThreadError = vi.fn();
  const threads = threadsFrom({ most: 1, onThreadError, workerFile: workerAnswering(`${SOON} return task.row;`) });
  const [one, other] = [threads.attach(DATASET), threads.attach(DATASET)];
  const waiter = { answered: vi.fn(), lost: vi.fn() };
  const answer = new Promise<BatchReply>((answered, reject) => {
    one.answer({ tasks: [numbered(1)] }, { answered, lost: reject });
  });
  other.answer({ tasks: [numbered(2)] }, waiter);
  other.end(waiter);
  expect(waiter.lost).toHaveBeenCalledOnce();
  expect(read(firstOf(await answer))).toBe(1);
  await one.detach();
  expect(waiter.answered).not.toHaveBeenCalled();
  expect(onThreadError).not.toHaveBeenCalled();
});

test('whoever waits for a batch hears nothing of it any more once its dataset is let go of', async () => {
  const { code, begun, goOn } = longTask13();
  const workerFile = workerAnswering(`${code} return task.row;`);
  const dataset = threadsFrom({ most: 1, onThreadError: vi.fn(), workerFile }).attach(DATASET);
  const waiter = { answered: vi.fn(), lost: vi.fn() };
  dataset.answer({ tasks: [numbered(13)] }, waiter);
  await begun();
  const detached = dataset.detach();
  goOn();
  await detached;
  expect(waiter.answered).not.toHaveBeenCalled();
  expect(waiter.lost).not.toHaveBeenCalled();
});

test('a thread that is slow to come up lets go of a dataset without being terminated', async () => {
  const file = join(temporaryDirectory(), 'worker.mjs');
  const source = `
    import { once } from 'node:events';
    const wait = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    wait(1200);
    export async function serve(port) {
      port.postMessage('up');
      port.on('message', (order) => {
        if ('attach' in order) wait(300);
        if ('detach' in order) port.postMessage({ detached: order.detach });
      });
      await once(port, 'close');
    }`;
  writeFileSync(file, source);
  const onThreadError = vi.fn();
  const dataset = threadsFrom({ most: 1, onThreadError, workerFile: pathToFileURL(file) }).attach(DATASET);
  dataset.answer({ tasks: [TASK] }, { answered: () => {}, lost: () => {} });
  await dataset.detach();
  expect(onThreadError).not.toHaveBeenCalled();
});

test('closing waits for the batch in progress, and the thread goes on with another dataset', async () => {
  const { code, begun, goOn } = longTask13();
  const { one, other } = twoPools(`${code} ${THREAD}`);
  const thread = read(await other.run(TASK));
  const stopped = one.run(numbered(13)).catch(codeOf);
  await begun();
  const closed = vi.fn();
  const closing = one.close().then(closed);
  expect(await stopped).toBe('stopped');
  await delay(50);
  expect(closed).not.toHaveBeenCalled();
  goOn();
  await closing;
  expect(read(await other.run(TASK))).toBe(thread);
});

test('closing terminates a thread that does not let go, and another one serves the other datasets', async () => {
  const onThreadError = vi.fn();
  const { code, begun } = beginningOf13();
  const { one, other } = twoPools(`${code} ${BLOCKED_AT_13} return attached.length;`, { onThreadError });
  await other.run(TASK);
  const stopped = one.run(numbered(13)).catch(codeOf);
  await begun();
  await one.close();
  expect(await stopped).toBe('stopped');
  expect(read(await other.run(TASK))).toBe(1);
  expect(onThreadError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'AbortError' }));
});

test('closing the threads ends one whose search has no end', async () => {
  const beats = join(temporaryDirectory(), 'beats');
  const endless = `
    const { appendFileSync } = await import('node:fs');
    for (;;) appendFileSync(${JSON.stringify(beats)}, '.');`;
  const threads = threadsFrom({ most: 1, onThreadError: vi.fn(), workerFile: workerAnswering(endless) });
  const unanswered = poolOver(threads).run(TASK).catch(codeOf);
  await eventually(() => expect(existsSync(beats)).toBe(true));
  await threads.close();
  const { size } = statSync(beats);
  await delay(100);
  expect(statSync(beats).size).toBe(size);
  expect(await Promise.race([unanswered, 'nothing'])).toBe('nothing');
});

test('closing takes back the batches that wait for a thread', async () => {
  const { code, begun, goOn } = longTask13();
  const { one, other } = twoPools(`${code} return seen;`);
  await one.run(numbered(1));
  const long = one.run(numbered(13));
  await begun();
  const stopped = other.run(numbered(2)).catch(codeOf);
  await delay(20);
  const closed = other.close();
  expect(await stopped).toBe('stopped');
  goOn();
  await Promise.all([closed, long]);
  expect(read(await one.run(numbered(3)))).toEqual([numbered(1), numbered(13)]);
});

test('a batch that waits for a thread gets another one if that thread ends', async () => {
  const { one, other } = twoPools(`if (task.row === 13) { ${SOON} process.exit(1); } return dataset.directory;`);
  await one.run(TASK);
  const lost = one.run(numbered(13)).catch(codeOf);
  await delay(50);
  const answered = other.run(TASK).then(read);
  expect([await lost, await answered]).toEqual(['thread-lost', 'other']);
});

test.each([
  { what: 'as soon as what waits is worth a message', expectedMs: 0.02, looks: [8, 16, 24, 32, 40] },
  { what: 'later where it is not yet', expectedMs: 0.004, looks: [24, 32, 40] },
])('the answers of a busy thread are looked for in the middle of a turn, $what', ({ expectedMs, looks }) => {
  const takeAnswers = vi.fn();
  const attached = { answer: vi.fn(), takeAnswers, end: vi.fn(), detach: () => Promise.resolve() };
  const expected = { expectMs: () => expectedMs, tookMs: vi.fn() };
  const threads = { most: 1, expected, attach: () => attached, close: () => Promise.resolve() };
  const pool = poolOver(threads, { queueMaxTasks: 1000 });
  const offer = () => void pool.offer(TASK)?.catch(() => {});
  while (attached.answer.mock.calls.length === 0) offer();
  const looked: number[] = [];
  for (let nth = 1; nth <= 40; nth++) {
    const before = takeAnswers.mock.calls.length;
    offer();
    if (takeAnswers.mock.calls.length > before) looked.push(nth);
  }
  expect(looked).toEqual(looks);
});
