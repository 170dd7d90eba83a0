/** Cells of the grid along each axis, as a power of two: some 600 metres on a side. */
const BITS = 16;
const CELLS = 2 ** BITS;

/**
 * Positions in an order in which neighbours on the map are mostly neighbours (Morton's Z-order of grid cells), those of one
 * cell in their own order. Points in degrees.
 */
export function spatialOrder(lngs: Float64Array, lats: Float64Array): Uint32Array {
  const keys = Uint32Array.from(lngs, (lng, at) => mortonKey(cellOf(lng, 360), cellOf(lats[at] ?? 0, 180)));
  const order = Uint32Array.from(lngs, (_, at) => at);
  return order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
}

/** The cell of a coordinate whose range has this width, with zero in its middle. */
function cellOf(degrees: number, width: number): number {
  return Math.max(0, Math.min(CELLS - 1, Math.floor((degrees / width + 0.5) * CELLS)));
}

/** The bits of both cells, by turns. */
function mortonKey(x: number, y: number): number {
  return (spread(x) | (spread(y) << 1)) >>> 0;
}

/** Sixteen bits with a gap behind each (S. E. Anderson, Bit Twiddling Hacks). */
function spread(cell: number): number {
  let bits = cell;
  bits = (bits | (bits << 8)) & 0x00ff_00ff;
  bits = (bits | (bits << 4)) & 0x0f0f_0f0f;
  bits = (bits | (bits << 2)) & 0x3333_3333;
  return (bits | (bits << 1)) & 0x5555_5555;
}
