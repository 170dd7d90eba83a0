import { type CellIndex, HAS_BLOCK, SOUTH, TILE_BITS, TILE_COLUMNS, TILE_MASK, TILE_SIZE, WEST } from './cell-index.js';
import { intoLists } from './lists.js';

// `as number` in this file: reads of typed arrays at indices that the grid's shape bounds.

/**
 * A second grid for each block of the cell index, which lists the parts whose boxes touch each of its squares: the same as
 * an R-tree finds, without descending from its root.
 */
export interface PartGrid {
  /** By block: its level; the block has 4^level squares. */
  readonly levels: Uint8Array;
  /** By block: its first square in {@link starts}. */
  readonly firsts: Uint32Array;
  /** By square, west to east, south to north: where its list begins in {@link parts}; one more entry for the end. */
  readonly starts: Uint32Array;
  /** The squares' lists of parts, each ascending. */
  readonly parts: Uint32Array;
  /** By part: minX, minY, maxX, maxY. */
  readonly boxes: Int32Array;
}

const MAX_LEVEL = 7;

/**
 * The first part whose box contains the point (1e-7 degrees) and which, according to `contains`, contains it itself; −1 if
 * there is none or the point's tile has no block.
 */
export function firstPartAt(
  cells: Pick<CellIndex, 'tiles'>,
  grid: PartGrid,
  x: number,
  y: number,
  contains: (part: number, x: number, y: number) => boolean,
): number {
  const east = x + WEST;
  const north = y + SOUTH;
  const tile = cells.tiles[(north >>> TILE_BITS) * TILE_COLUMNS + (east >>> TILE_BITS)] as number;
  if (tile < HAS_BLOCK) return -1;
  const block = tile - HAS_BLOCK;
  const level = grid.levels[block] as number;
  const shift = TILE_BITS - level;
  const column = (east & TILE_MASK) >>> shift;
  const row = (north & TILE_MASK) >>> shift;
  const square = (grid.firsts[block] as number) + (row << level) + column;
  const end = grid.starts[square + 1] as number;
  for (let at = grid.starts[square] as number; at < end; at++) {
    const part = grid.parts[at] as number;
    const box = part * 4;
    if (x < (grid.boxes[box] as number) || x > (grid.boxes[box + 2] as number)) continue;
    if (y < (grid.boxes[box + 1] as number) || y > (grid.boxes[box + 3] as number)) continue;
    if (contains(part, x, y)) return part;
  }
  return -1;
}

/** Builds the grid over the parts' boxes; a block has about one square for each part that touches its tile. */
export function buildPartGrid(cells: Pick<CellIndex, 'tiles' | 'blockLevels'>, boxes: Int32Array): PartGrid {
  const touching = new Uint32Array(cells.blockLevels.length);
  forEachTile(cells, boxes, (block) => {
    touching[block] = (touching[block] ?? 0) + 1;
  });
  const levels = Uint8Array.from(touching, (parts) =>
    Math.min(MAX_LEVEL, Math.round(Math.log2(Math.max(1, parts)) / 2)),
  );
  const firsts = new Uint32Array(levels.length);
  let squareCount = 0;
  levels.forEach((level, block) => {
    firsts[block] = squareCount;
    squareCount += 4 ** level;
  });

  const lists = intoLists(squareCount, (add) =>
    forEachTile(cells, boxes, (block, part, west, south) => {
      const level = levels[block] ?? 0;
      const first = firsts[block] ?? 0;
      const shift = TILE_BITS - level;
      const within = (units: number): number => Math.min(TILE_MASK, Math.max(0, units)) >>> shift;
      const box = part * 4;
      const lastColumn = within((boxes[box + 2] ?? 0) - west);
      const lastRow = within((boxes[box + 3] ?? 0) - south);
      for (let row = within((boxes[box + 1] ?? 0) - south); row <= lastRow; row++) {
        for (let column = within((boxes[box] ?? 0) - west); column <= lastColumn; column++) {
          add(first + (row << level) + column, part);
        }
      }
    }),
  );
  return { levels, firsts, starts: lists.starts, parts: lists.values, boxes };
}

/** Calls `visit` for every part, ascending, and every block whose tile its box touches, with the tile's corner in units. */
function forEachTile(
  cells: Pick<CellIndex, 'tiles'>,
  boxes: Int32Array,
  visit: (block: number, part: number, west: number, south: number) => void,
): void {
  for (let part = 0; part * 4 < boxes.length; part++) {
    const box = part * 4;
    const lastRow = ((boxes[box + 3] ?? 0) + SOUTH) >>> TILE_BITS;
    const lastColumn = ((boxes[box + 2] ?? 0) + WEST) >>> TILE_BITS;
    for (let row = ((boxes[box + 1] ?? 0) + SOUTH) >>> TILE_BITS; row <= lastRow; row++) {
      for (let column = ((boxes[box] ?? 0) + WEST) >>> TILE_BITS; column <= lastColumn; column++) {
        const entry = cells.tiles[row * TILE_COLUMNS + column] ?? 0;
        if (entry >= HAS_BLOCK) visit(entry - HAS_BLOCK, part, column * TILE_SIZE - WEST, row * TILE_SIZE - SOUTH);
      }
    }
  }
}
