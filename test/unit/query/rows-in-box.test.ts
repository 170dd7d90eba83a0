import { expect, test } from 'vitest';
import { buildPointIndex, openPointIndex } from '../../../src/format/point-index.js';
import { firstRowsInBox } from '../../../src/query/around/rows-in-box.js';
import { seededRandom } from '../../support/seeded-random.js';

const COUNT = 20_000;

/**
 * Points on both sides of the antimeridian, some in one tree, some in another, some in none; in steps of 0.05°, so that some
 * lie on the sides of boxes.
 */
function points() {
  const random = seededRandom(7);
  const from = (degrees: number): number => degrees + Math.round(80 * random.next()) / 20;
  const lats = Float64Array.from({ length: COUNT }, () => from(50));
  const lngs = Float64Array.from({ length: COUNT }, () => (random.next() < 0.5 ? from(176) : from(-180)));
  const treeOf = (rows: Uint32Array) => ({
    rows,
    index: openPointIndex(
      buildPointIndex(
        Float64Array.from(rows, (row) => lngs[row] ?? 0),
        Float64Array.from(rows, (row) => lats[row] ?? 0),
      ).buffer,
    ),
  });
  const all = Uint32Array.from({ length: COUNT }, (_, row) => row);
  return { lats, lngs, trees: [0, 1].map((rest) => treeOf(all.filter((row) => row % 3 === rest))) };
}

test.each([
  ['a box of a few points, gathered', { west: 177, south: 51, east: 177.2, north: 51.2 }, 50],
  ['a full box, gone through in order', { west: 176.5, south: 50.5, east: 179.5, north: 53.5 }, 200],
  ['a full box across the antimeridian', { west: 177, south: 50, east: -177, north: 54 }, 200],
  ['a full box with room for all', { west: 176, south: 50, east: 180, north: 54 }, COUNT],
  ['an empty box', { west: 10, south: 50, east: 11, north: 54 }, 50],
] as const)('%s gives the least rows, as a scan does', (_, box, limit) => {
  const indexed = points();
  const { west, south, east, north } = box;
  for (const trees of [indexed.trees, indexed.trees.slice(0, 1)]) {
    const expected = [...indexed.lats.keys()].filter((row) => {
      const [lat = 0, lng = 0] = [indexed.lats[row], indexed.lngs[row]];
      const inLng = west <= east ? lng >= west && lng <= east : lng >= west || lng <= east;
      return inLng && lat >= south && lat <= north && row % 3 < trees.length;
    });
    const found = firstRowsInBox({ ...indexed, trees }, box, limit);
    expect([...found.rows].sort((a, b) => a - b)).toEqual(expected.slice(0, limit));
    expect([...found.places].map((place) => expected[place])).toEqual([...found.rows]);
    expect(found.records).toBeUndefined();
    expect(found.truncated).toBe(expected.length > limit);
  }
});

test('where the records lie in the order of the only tree, rows come in that order, with the records of each', () => {
  const { trees, ...columns } = points();
  const [tree = expect.fail('there are two trees')] = trees;
  const box = { west: 177, south: 51, east: 177.5, north: 51.5 };
  const all = firstRowsInBox({ ...columns, trees: [{ ...tree, ordersRecords: true }] }, box, COUNT);
  const first = firstRowsInBox({ ...columns, trees: [{ ...tree, ordersRecords: true }] }, box, 20);
  expect(all.rows.length).toBeGreaterThan(40);
  for (const { rows, records } of [all, first]) {
    expect([...(records ?? [])].map((record) => tree.rows[tree.index.ids[record] ?? -1])).toEqual([...rows]);
  }
  expect([...first.rows]).toEqual([...all.rows].filter((row) => first.rows.includes(row)));
  const two = trees.map((other) => ({ ...other, ordersRecords: true }));
  expect(firstRowsInBox({ ...columns, trees: two }, box, 20).records).toBeUndefined();
});
