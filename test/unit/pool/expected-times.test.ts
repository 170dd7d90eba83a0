import { expect, test } from 'vitest';
import { createExpectedTimes, sizeOf } from '../../../src/pool/expected-times.js';
import type { Task } from '../../../src/pool/protocol.js';

const CENTER = { lat: 39, lng: -75 };
const RANKINGS: Task = { kind: 'rankings', row: 1 };
const NEARBY = nearby(1, 1);

function nearby(radiusMiles: number, limit: number): Task {
  return { kind: 'nearby', query: { center: CENTER, radiusMiles, limit, offset: 0 } };
}

function outlines(radiusMiles: number, limit = 500): Task {
  return { kind: 'tract-features', query: { selection: { center: CENTER, radiusMiles }, simplifyDegrees: 0, limit } };
}

function inBox(degrees: number, west = -75): Task {
  const east = west + degrees;
  const box = { west, south: 39, east: east > 180 ? east - 360 : east, north: 39 + degrees };
  return { kind: 'providers-in-box', query: { ...box, type: 'all', limit: 500 } };
}

/** Expected times after so many tasks that took so long. */
function expectedAfter(times: number, task: Task, milliseconds: number) {
  const expected = createExpectedTimes();
  for (let time = 0; time < times; time++) expected.tookMs(task, milliseconds);
  return expected;
}

test('a task is expected to take as long as recent tasks of its kind', () => {
  const expected = expectedAfter(200, RANKINGS, 4);
  expect(expected.expectMs(RANKINGS)).toBeCloseTo(4, 2);
  expect(expected.expectMs(NEARBY)).toBe(0.03);
});

test('the first lists of addresses are expected to take milliseconds, so that few of them share a batch', () => {
  const addresses = Array<string>(50).fill('1 Main St, Dover, DE 19901');
  expect(createExpectedTimes().expectMs({ kind: 'geocode', addresses })).toBe(2);
});

test('one task that took a thousand times as long because the machine stalled hardly changes the estimate', () => {
  const expected = expectedAfter(200, NEARBY, 0.2);
  expected.tookMs(NEARBY, 200);
  expect(expected.expectMs(NEARBY)).toBeLessThan(0.6);
  for (let time = 0; time < 50; time++) expected.tookMs(NEARBY, 200);
  expect(expected.expectMs(NEARBY)).toBeGreaterThan(100);
});

test('a few slow tasks among fast ones of the same size raise the estimate by their share', () => {
  const expected = createExpectedTimes();
  for (let time = 0; time < 2000; time++) expected.tookMs(NEARBY, time % 20 === 0 ? 4 : 0.2);
  // Behind 19 small ones; the mean is 0.39.
  expect(expected.expectMs(NEARBY)).toBeGreaterThan(0.25);
  expected.tookMs(NEARBY, 4);
  expect(expected.expectMs(NEARBY)).toBeGreaterThan(0.4);
});

test('known large tasks do not change the estimate for small ones of their kind, nor the other way round', () => {
  const expected = expectedAfter(200, outlines(50), 40);
  expect(expected.expectMs(outlines(1))).toBe(createExpectedTimes().expectMs(outlines(1)));
  for (let time = 0; time < 200; time++) expected.tookMs(outlines(1), 0.5);
  expect(expected.expectMs(outlines(1))).toBeCloseTo(0.5, 2);
  expect(expected.expectMs(outlines(50))).toBeCloseTo(40, 1);
});

test('a size not seen yet is expected to take at least as long as the next smaller one', () => {
  expect(expectedAfter(200, nearby(5, 25), 0.2).expectMs(nearby(50, 100))).toBeCloseTo(0.2, 3);
});

test('outlines of a size not seen yet are expected to take the longer, the larger they are', () => {
  expect(expectedAfter(200, outlines(1), 0.5).expectMs(outlines(50))).toBeGreaterThan(10);
});

test('before any is known, outlines of a metropolis are expected to take long, and those around a point are not', () => {
  const expected = createExpectedTimes();
  expect(expected.expectMs(outlines(1))).toBeLessThan(0.5);
  expect(expected.expectMs(outlines(50))).toBeGreaterThan(5);
});

test.each<readonly [string, Task, Task]>([
  ['a wider search', nearby(50, 25), nearby(5, 25)],
  ['more of what is near', nearby(5, 100), nearby(5, 1)],
  ['wider outlines', outlines(10), outlines(1)],
  [
    'a state',
    { kind: 'tract-features', query: { selection: { stateFips: '10' }, simplifyDegrees: 0, limit: 500 } },
    outlines(10),
  ],
  ['a larger box', inBox(1), inBox(0.1)],
  ['a larger box across the antimeridian', inBox(20, 170), inBox(1)],
  ['more addresses', { kind: 'geocode', addresses: Array(50).fill('') }, { kind: 'geocode', addresses: [''] }],
])('the size of %s is larger', (_what, large, small) => {
  expect(sizeOf(large)).toBeGreaterThan(sizeOf(small));
});

test('the smallest tasks of every kind have size 0', () => {
  expect([sizeOf(nearby(0, 1)), sizeOf(nearby(0.1, 1)), sizeOf(RANKINGS)]).toEqual([0, 0, 0]);
});
