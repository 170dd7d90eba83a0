import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurnQueue } from '../../../src/http/sending/turn-queue.js';

test('items of one turn of the event loop are handled at its end, in order', async () => {
  const done: number[] = [];
  const add = createTurnQueue<number>((item) => done.push(item));
  for (const item of [1, 2, 3]) add(item);
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual([1, 2, 3]);
  add(4);
  await turn();
  expect(done).toEqual([1, 2, 3, 4]);
});

test('a full queue is handled before the turn ends', async () => {
  const done: number[] = [];
  const add = createTurnQueue<number>((item) => done.push(item));
  for (let item = 0; item < 100; item++) add(item);
  expect(done).toHaveLength(64);
  await turn();
  expect(done).toEqual(Array.from({ length: 100 }, (_, item) => item));
});

test('items added while others are handled are handled, too', async () => {
  const done: number[] = [];
  const add = createTurnQueue<number>((item) => {
    done.push(item);
    if (item < 3) add(item + 1);
  });
  add(1);
  for (let count = 0; count < 3; count++) await turn();
  expect(done).toEqual([1, 2, 3]);
});
