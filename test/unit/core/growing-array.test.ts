import { expect, test } from 'vitest';
import { GrowingArray } from '../../../src/core/growing-array.js';

test('a growing array keeps all numbers in their order, however many there are', () => {
  const numbers = new GrowingArray(Uint32Array);
  const all = Array.from({ length: 1000 }, (_, at) => at * 3);
  for (const number of all) numbers.push(number);
  numbers.set(500, 7);
  expect(numbers.length).toBe(1000);
  expect([...numbers.view()]).toEqual(all.with(500, 7));
});

test('where nothing has been added there is no number, though there is room for one', () => {
  const numbers = new GrowingArray(Uint32Array);
  numbers.push(5);
  expect([numbers.at(0), numbers.at(1), numbers.at(-1)]).toEqual([5, Number.NaN, Number.NaN]);
});
