import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { YOUNG_GENERATION } from '../../src/platform/garbage-collection.js';
import { variants } from '../support/rounds.js';
import { PROGRAM } from '../support/run-program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

/** What V8 traces after each full collection: whose heap it was, and the factor by which it may grow. */
const [MAJOR = 0] = process.versions.node.split('.').map(Number);
const LIMIT =
  MAJOR < 24
    ? /^\[(\d+:\w+)\].*\[HeapController\] Limit: .* new limit: \d+ KB \((\d\.\d)\)/
    : /^\[(\d+:[\w:]+)\].*\[HeapController\] factor (\d\.\d) based on/;

test('young objects are collected by one thread', async () => {
  const module = new URL('../../dist/src/platform/garbage-collection.js', import.meta.url).href;
  const helped = async (setUp: string): Promise<number> => {
    const script = `
      ${setUp}
      const kept = [];
      for (let turn = 0; turn < 3e6; turn++) kept[turn & 0xffff] = { turn, list: [turn] };`;
    const args = ['--trace-gc-nvp', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 });
    const helping = [...stdout.matchAll(/background\.scavenge\.parallel=([\d.]+)/g)].map(([, ms]) => Number(ms));
    expect(helping.length).toBeGreaterThan(5);
    return helping.filter((ms) => ms > 0).length;
  };
  expect(await helped('')).toBeGreaterThan(0);
  expect(await helped(`(await import('${module}')).setUpGarbageCollection();`)).toBe(0);
});

test('the main thread has the space for new objects that its flag gives, each further thread has 1 MiB', async () => {
  const module = new URL('../../dist/src/platform/garbage-collection.js', import.meta.url).href;
  // Of the two halves together, once so many objects have survived that V8 has made them as large as they may be.
  const largest = `
    const v8 = await import('node:v8');
    const kept = [];
    let most = 0;
    for (let turn = 0; turn < 1e6; turn++) {
      kept[turn & 0x7fff] = { turn, list: [turn] };
      if (turn % 1000 > 0) continue;
      const space = v8.getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
      most = Math.max(most, space.space_size);
    }
    console.log(most / 2 ** 20);`;
  const script = `
    (await import('${module}')).setUpGarbageCollection();
    ${largest}
    const { Worker } = await import('node:worker_threads');
    new Worker(${JSON.stringify(largest)}, { eval: true });`;
  const args = [YOUNG_GENERATION, '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim().split('\n').map(Number)).toEqual([16, 2]);
});

test.each(variants(['1'], ['2']))(
  'with %s process(es), the heap may grow to 2.5 times its live size',
  async (processes) => {
    const datasetsDir = temporaryDirectory();
    publishTinyDataset(datasetsDir);
    const collecting = [
      '--expose-gc',
      '--trace-gc-verbose',
      '--import',
      'data:text/javascript,setInterval(gc,50).unref()',
    ];
    const args = ['serve', '--datasets', datasetsDir, '--port', '0'];
    const env = { API_KEYS: 'a-key-for-tests', STATE_DIR: temporaryDirectory(), ADMIN_PORT: '0', PROCESSES: processes };
    const child = spawn(process.execPath, [...collecting, PROGRAM, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(async () => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      // A process whose output nobody takes would not get around to ending.
      child.stdout.resume();
      await closed;
    });
    // Before they serve, and in the first of several processes, it is V8's own rule, by which it changes.
    const inARow = new Map<string, number>();
    for await (const line of createInterface({ input: child.stdout })) {
      const [, heap = '', factor] = LIMIT.exec(line) ?? [];
      if (factor === undefined) continue;
      inARow.set(heap, factor === '2.5' ? (inARow.get(heap) ?? 0) + 1 : 0);
      if (inARow.get(heap) === 5) return;
    }
    expect.fail('the service ended');
  },
);
