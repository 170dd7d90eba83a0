import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapSomeAtOnce } from '../../../src/load/files/map-some-at-once.js';

const waitTurns = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await nextTurn();
};

test('results come in the order of the items, whichever is done first', async () => {
  const turns = [9, 0, 5, 1, 0, 3, 0];
  const done: number[] = [];
  const results = await mapSomeAtOnce(turns, async (count) => {
    await waitTurns(count);
    done.push(count);
    return count * 10;
  });
  expect(results).toEqual(turns.map((count) => count * 10));
  expect(done).not.toEqual(turns);
});

test('the error is that of the first failing item, even if a later one fails sooner, and nothing keeps running afterwards', async () => {
  let running = 0;
  const begun: number[] = [];
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    running++;
    await waitTurns(item === 1 ? 9 : item);
    running--;
    if (item === 1 || item === 2) throw new Error(`item ${item}`);
  };
  await expect(mapSomeAtOnce([...Array(100).keys()], work)).rejects.toThrow('item 1');
  expect(running).toBe(0);
  expect(begun.length).toBeLessThan(20);
});

test('of no items nothing comes', async () => {
  expect(await mapSomeAtOnce([], async () => 1)).toEqual([]);
});
