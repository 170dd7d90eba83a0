import { expect, test } from 'vitest';
import { ascendingPlaces } from '../../../src/core/radix-order.js';
import { seededRandom } from '../../support/seeded-random.js';

test.each([
  [0, 10],
  [1, 1],
  [5, 300],
  [511, 2_000_000],
  [512, 2_000_000],
  [3000, 50],
  [3000, 2 ** 32],
])('of %i numbers below %i, each has the place that it has in their sorted order', (count, bound) => {
  const random = seededRandom(count + 1);
  const numbers = Uint32Array.from({ length: count }, () => Math.floor(random.next() * bound));
  const positions = [...numbers.keys()].sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b);
  const places: number[] = [];
  positions.forEach((position, place) => {
    places[position] = place;
  });
  expect([...ascendingPlaces(numbers, bound)]).toEqual(places);
});
