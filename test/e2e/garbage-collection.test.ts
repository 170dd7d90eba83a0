import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { YOUNG_GENERATION } from '../../src/platform/garbage-collection.js';
import { PROGRAM } from '../support/run-program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

/** What V8 traces after each full collection: whose heap it was, and the factor by which it may grow. */
const [MAJOR = 0] = process.versions.node.split('.').map(Number);
const LIMIT =
  MAJOR < 24
    ? /^\[(\d+:\w+)\].*\[HeapController\] Limit: .* new limit: \d+ KB \((\d\.\d)\)/
    : /^\[(\d+:[\w:]+)\].*\[HeapController\] factor (\d\.\d) based on/;

test('objects are allocated in the young generation even if all of them survive', async () => {
  const module = new URL('../../dist/src/platform/garbage-collection.js', import.meta.url).href;
  const script = (setUp: string, turns: number): string => `
    ${setUp}
    const kept = [];
    const make = (place) => ({ place, list: [place] });
    for (let turn = 0; turn < ${turns}; turn++) kept[turn & 0xfffff] = make(turn);`;
  const decisions = async (setUp: string, turns: number): Promise<number> => {
    const args = ['--trace-pretenuring-statistics', '--input-type=module', '--eval', script(setUp, turns)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return stdout.split('\n').filter((line) => line.includes('tenure => tenure')).length;
  };
  /** How often objects must be made until V8 by itself makes them among the old: where the machine is busy, oftener. */
  const turnsToDecide = async (): Promise<number> => {
    for (const turns of [2e6, 8e6, 32e6]) if ((await decisions('', turns)) > 0) return turns;
    throw new Error('V8 makes nothing among the old by itself');
  };
  const turns = await turnsToDecide();
  expect(await decisions(`(await import('${module}')).setUpGarbageCollection();`, turns)).toBe(0);
});

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

test('texts of numbers in bodies are young', async () => {
  const moduleOf = (path: string): string => new URL(`../../dist/src/${path}`, import.meta.url).href;
  const fullCollections = async (text: string): Promise<number> => {
    const script = `
      const { decimal } = await import('${moduleOf('core/decimal.js')}');
      const { numberJson } = await import('${moduleOf('format/number-json.js')}');
      let length = 0;
      for (let turn = 0; turn < 2e6; turn++) length += ${text}.length;`;
    const args = ['--trace-gc', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return stdout.split('\n').filter((line) => line.includes('Mark-Compact')).length;
  };
  expect(await fullCollections('String(-90 - turn / 3e6)')).toBeGreaterThan(0);
  expect(await fullCollections('decimal(-90 - turn / 3e6)')).toBe(0);
  expect(await fullCollections('numberJson(-90 - turn / 3e6)')).toBe(0);
});

test.each(['1', '2'])('with %s process(es), the heap may grow to 2.5 times its live size', async (processes) => {
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
});
