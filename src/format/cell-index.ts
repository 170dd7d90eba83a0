// `as number` in this file: reads of typed arrays at indices that the grid's shape bounds.

/**
 * A grid over the outlines that stores, for every cell that no outline's edge touches, the one answer for all its points.
 * Tiles of 2^22 units (0.42°) cover the globe; a tile that edges touch has a block of 4^level cells of its own.
 */
export interface CellIndex {
  /** Per tile, west to east, south to north: a row, {@link NO_ROW}, or {@link HAS_BLOCK} with a block's number. */
  readonly tiles: Uint32Array;
  /** By block: its level; the block has 2^level cells along each side. */
  readonly blockLevels: Uint8Array;
  /** By block: its first cell in {@link cells}. */
  readonly blockFirsts: Uint32Array;
  /** Per cell, west to east, south to north: a row, {@link NO_ROW}, or {@link MIXED}. */
  readonly cells: Uint32Array;
}

export const TILE_BITS = 22;
/** Along each side, in units. */
export const TILE_SIZE = 2 ** TILE_BITS;
export const TILE_MASK = TILE_SIZE - 1;
/** Offsets of the grid's west and south end, 1e-7 degrees: added to coordinates, which then fit 32 unsigned bits. */
export const WEST = 1_800_000_000;
export const SOUTH = 900_000_000;
export const TILE_COLUMNS = Math.floor((2 * WEST) / TILE_SIZE) + 1;
export const TILE_ROWS = Math.floor((2 * SOUTH) / TILE_SIZE) + 1;

/** No tract covers the tile or cell. */
export const NO_ROW = 0x7fff_ffff;
/** Edges touch the cell: only the outlines can answer. */
export const MIXED = 0x7fff_fffe;
/** Added to the number of a block in a tile's entry. */
export const HAS_BLOCK = 0x8000_0000;

/** The value of the cell at a point (1e-7 degrees): a row, {@link NO_ROW}, or {@link MIXED}. */
export function cellAt(index: CellIndex, x: number, y: number): number {
  const east = x + WEST;
  const north = y + SOUTH;
  const tile = index.tiles[(north >>> TILE_BITS) * TILE_COLUMNS + (east >>> TILE_BITS)] as number;
  if (tile < HAS_BLOCK) return tile;
  const block = tile - HAS_BLOCK;
  const level = index.blockLevels[block] as number;
  const shift = TILE_BITS - level;
  const column = (east & TILE_MASK) >>> shift;
  const row = (north & TILE_MASK) >>> shift;
  return index.cells[(index.blockFirsts[block] as number) + (row << level) + column] as number;
}
