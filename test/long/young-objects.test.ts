import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// How V8 decides where objects go: a matter of the version of Node rather than of a change to the program.

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
