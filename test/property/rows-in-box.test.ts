import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { mapFile } from '../../src/format/byte-source.js';
import { OUTLINES_FILE, openOutlinesFile, writeOutlinesFile } from '../../src/format/outlines-file.js';
import { buildRTree, openRTree } from '../../src/format/rtree.js';
import { plainOutlines, ringOf } from '../support/plain-outlines.js';

const directory = mkdtempSync(join(tmpdir(), 'tract-context-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Small whole numbers, so that boxes touch and coincide. */
const coordinate = fc.integer({ min: -30, max: 30 });
const box = fc
  .tuple(coordinate, coordinate, coordinate, coordinate)
  .map(([ax, ay, bx, by]) => [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)] as const);
type Box = readonly [number, number, number, number];

const meet = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

it('an R-tree finds the boxes that a naive scan finds, each once, in a box and at a point', () => {
  const property = fc.property(fc.array(box, { maxLength: 400 }), box, (boxes, wanted) => {
    const tree = openRTree(buildRTree(Int32Array.from(boxes.flat())));
    const found = (within: Box): number[] => {
      const items: number[] = [];
      tree.forEachIn(...within, (item) => items.push(item));
      return items.sort((a, b) => a - b);
    };
    const naive = (box: Box): number[] => boxes.flatMap((other, item) => (meet(other, box) ? [item] : []));
    const [x, y] = wanted;
    const point: Box = [x, y, x, y];
    expect([found(wanted), found(point)]).toEqual([naive(wanted), naive(point)]);
  });
  fc.assert(property, { numRuns: 200 });
});

it('the outlines’ file gives the rows with a part in the box, ascending, each once', () => {
  /** Rows of squares, some of several that lie apart, some of none. */
  const square = fc.tuple(coordinate, coordinate, fc.integer({ min: 1, max: 3 })).map(([x, y, side]) =>
    ringOf([
      [x, y],
      [x, y + side],
      [x + side, y + side],
      [x + side, y],
    ]),
  );
  const property = fc.property(
    fc.array(fc.array(square, { maxLength: 3 }), { minLength: 1, maxLength: 30 }),
    box,
    (rows, wanted) => {
      const path = join(directory, OUTLINES_FILE);
      writeOutlinesFile(path, rows);
      const outlines = openOutlinesFile(mapFile(path), rows.length);
      const units = wanted.map((degrees) => degrees * 1e7);
      const [minX = 0, minY = 0, maxX = 0, maxY = 0] = units;
      const found = outlines.rowsInBox(minX, minY, maxX, maxY);
      outlines.container.release();
      rmSync(path);
      // A part's box may be larger than its rings': it holds those that overlap one another.
      const naive = plainOutlines(rows).rowsInBox(minX, minY, maxX, maxY);
      expect(naive.filter((row) => !found.includes(row))).toEqual([]);
      expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
      const whole = plainOutlines(rows.map(hull)).rowsInBox(minX, minY, maxX, maxY);
      expect(found.filter((row) => !whole.includes(row))).toEqual([]);
    },
  );
  fc.assert(property, { numRuns: 40 });
});

/** The box around all rings of a row, as a ring. */
function hull(rings: readonly Int32Array[]): Int32Array[] {
  const xs = rings.flatMap((ring) => [...ring.filter((_, at) => at % 2 === 0)]);
  const ys = rings.flatMap((ring) => [...ring.filter((_, at) => at % 2 === 1)]);
  if (xs.length === 0) return [];
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return [Int32Array.of(left, bottom, right, bottom, right, top, left, top, left, bottom)];
}
