import type { Rings } from '../../src/format/outline-index.js';
import type { Outlines } from '../../src/query/outline/shared-borders.js';

/** Outlines in memory, searched by a scan of all rings. */
export function plainOutlines(rows: readonly Rings[]): Outlines {
  const boxes = rows.map((rings) => rings.map(boxOf));
  return {
    rings: (row) => rows[row] ?? [],
    rowsInBox: (minX, minY, maxX, maxY) =>
      boxes.flatMap((ofRow, row) =>
        ofRow.some((box) => box.minX <= maxX && box.maxX >= minX && box.minY <= maxY && box.maxY >= minY) ? [row] : [],
      ),
  };
}

function boxOf(ring: Int32Array) {
  const xs = ring.filter((_, at) => at % 2 === 0);
  const ys = ring.filter((_, at) => at % 2 === 1);
  const least = (values: Int32Array): number => values.reduce((a, b) => Math.min(a, b));
  const most = (values: Int32Array): number => values.reduce((a, b) => Math.max(a, b));
  return { minX: least(xs), maxX: most(xs), minY: least(ys), maxY: most(ys) };
}

/** A closed ring, in units of 1e-7 degrees, through corners that are given in degrees times `scale`. */
export function ringOf(corners: readonly (readonly [x: number, y: number])[], scale = 1): Int32Array {
  const closed = [...corners, ...corners.slice(0, 1)];
  return Int32Array.from(closed.flatMap(([x, y]) => [Math.round((x * 1e7) / scale), Math.round((y * 1e7) / scale)]));
}
