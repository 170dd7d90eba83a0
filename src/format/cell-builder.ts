import {
  type CellIndex,
  HAS_BLOCK,
  MIXED,
  NO_ROW,
  SOUTH,
  TILE_BITS,
  TILE_COLUMNS,
  TILE_MASK,
  TILE_ROWS,
  TILE_SIZE,
  WEST,
} from './cell-index.js';
import type { IndexedOutlines } from './outline-builder.js';

/** The outlines' edges, which run between the vertices of each chunk. */
type EdgeChunks = Pick<IndexedOutlines, 'chunkBoxes' | 'chunkVertices' | 'chunkEdges' | 'vertices'>;

/** Edges of a tile per cell of its block, about: more cells answer more points directly, and take more space. */
const EDGES_PER_CELL = 2;
const MIN_LEVEL = 2;
const MAX_LEVEL = 8;

/** A cell that has no answer yet; never written to a file. */
const UNKNOWN = 0xffff_ffff;

/**
 * Builds the grid. `locate` returns the row at a point in 1e-7 degrees, or −1, from the outlines themselves.
 *
 * An edge marks every cell that its box touches, which may be more than it crosses: a marked cell is slower, not wrong. No
 * edge passes between two neighbouring unmarked cells, so they share one answer, and few cells have to be looked up.
 */
export function buildCells(outlines: EdgeChunks, locate: (x: number, y: number) => number): CellIndex {
  const tiles = new Uint32Array(TILE_COLUMNS * TILE_ROWS).fill(NO_ROW);
  const edgeCounts = countEdges(outlines);
  const blockLevels: number[] = [];
  const blockFirsts: number[] = [];
  let cellCount = 0;
  for (const [tile, edges] of edgeCounts) {
    const level = Math.min(MAX_LEVEL, Math.max(MIN_LEVEL, Math.round(Math.log2(edges / EDGES_PER_CELL) / 2)));
    tiles[tile] = HAS_BLOCK + blockLevels.length;
    blockLevels.push(level);
    blockFirsts.push(cellCount);
    cellCount += 4 ** level;
  }
  const index: CellIndex = {
    tiles,
    blockLevels: Uint8Array.from(blockLevels),
    blockFirsts: Uint32Array.from(blockFirsts),
    cells: new Uint32Array(cellCount).fill(UNKNOWN),
  };
  forEachBox(
    outlines,
    // Many chunks lie within one cell, and so do most edges.
    (minX, minY, maxX, maxY) => markOneCell(index, minX, minY, maxX, maxY),
    (minX, minY, maxX, maxY) => {
      if (!markOneCell(index, minX, minY, maxX, maxY)) markCells(index, minX, minY, maxX, maxY);
    },
  );
  answerTiles(index, [...edgeCounts.keys()], locate);
  return index;
}

/** The tiles that any edge's box touches, ascending, with the number of edges that do. */
function countEdges(outlines: EdgeChunks): Map<number, number> {
  const counts = new Uint32Array(TILE_COLUMNS * TILE_ROWS);
  const count = (minX: number, minY: number, maxX: number, maxY: number, edges: number): void => {
    const lastRow = tileOf(maxY + SOUTH);
    const lastColumn = tileOf(maxX + WEST);
    for (let row = tileOf(minY + SOUTH); row <= lastRow; row++) {
      for (let column = tileOf(minX + WEST); column <= lastColumn; column++) {
        const tile = row * TILE_COLUMNS + column;
        counts[tile] = (counts[tile] ?? 0) + edges;
      }
    }
  };
  forEachBox(
    outlines,
    (minX, minY, maxX, maxY, edges) => {
      const inOneTile = tileOf(minX + WEST) === tileOf(maxX + WEST) && tileOf(minY + SOUTH) === tileOf(maxY + SOUTH);
      if (inOneTile) count(minX, minY, maxX, maxY, edges);
      return inOneTile;
    },
    (minX, minY, maxX, maxY) => count(minX, minY, maxX, maxY, 1),
  );
  const touched = new Map<number, number>();
  for (let tile = 0; tile < counts.length; tile++) {
    const edges = counts[tile] ?? 0;
    if (edges > 0) touched.set(tile, edges);
  }
  return touched;
}

/** The column or row of tiles at a distance from the grid's west or south end. */
const tileOf = (units: number): number => units >>> TILE_BITS;

/**
 * Calls `takeChunk` with each chunk's box and number of edges; if it returns false, calls `takeEdge` with the box of each
 * of the chunk's edges.
 */
function forEachBox(
  { chunkBoxes, chunkVertices, chunkEdges, vertices }: EdgeChunks,
  takeChunk: (minX: number, minY: number, maxX: number, maxY: number, edges: number) => boolean,
  takeEdge: (minX: number, minY: number, maxX: number, maxY: number) => void,
): void {
  for (let chunk = 0; chunk < chunkEdges.length; chunk++) {
    const [box, edges] = [chunk * 4, chunkEdges[chunk] ?? 0];
    const [minX = 0, minY = 0] = [chunkBoxes[box], chunkBoxes[box + 1]];
    const [maxX = 0, maxY = 0] = [chunkBoxes[box + 2], chunkBoxes[box + 3]];
    if (takeChunk(minX, minY, maxX, maxY, edges)) continue;
    const first = (chunkVertices[chunk] ?? 0) * 2;
    let ax = vertices[first] ?? 0;
    let ay = vertices[first + 1] ?? 0;
    for (let at = first + 2; at <= first + edges * 2; at += 2) {
      const bx = vertices[at] ?? 0;
      const by = vertices[at + 1] ?? 0;
      takeEdge(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by));
      ax = bx;
      ay = by;
    }
  }
}

/** Marks the cell that a box lies in; returns false if the box touches several cells. */
function markOneCell(index: CellIndex, minX: number, minY: number, maxX: number, maxY: number): boolean {
  const east = minX + WEST;
  const north = minY + SOUTH;
  const tile = tileOf(north) * TILE_COLUMNS + tileOf(east);
  const block = (index.tiles[tile] ?? 0) - HAS_BLOCK;
  const level = index.blockLevels[block] ?? 0;
  const shift = TILE_BITS - level;
  // Compares positions on the grid of the whole globe, so that tile borders need no special case.
  if (east >>> shift !== (maxX + WEST) >>> shift || north >>> shift !== (maxY + SOUTH) >>> shift) return false;
  const column = (east & TILE_MASK) >>> shift;
  const row = (north & TILE_MASK) >>> shift;
  index.cells[(index.blockFirsts[block] ?? 0) + (row << level) + column] = MIXED;
  return true;
}

/** Marks the cells that a box touches, tile by tile. */
function markCells(index: CellIndex, minX: number, minY: number, maxX: number, maxY: number): void {
  for (let row = tileOf(minY + SOUTH); row <= tileOf(maxY + SOUTH); row++) {
    for (let column = tileOf(minX + WEST); column <= tileOf(maxX + WEST); column++) {
      const block = (index.tiles[row * TILE_COLUMNS + column] ?? 0) - HAS_BLOCK;
      const level = index.blockLevels[block] ?? 0;
      const first = index.blockFirsts[block] ?? 0;
      const shift = TILE_BITS - level;
      const cell = (units: number, tile: number): number =>
        Math.min(TILE_MASK, Math.max(0, units - tile * TILE_SIZE)) >>> shift;
      for (let y = cell(minY + SOUTH, row); y <= cell(maxY + SOUTH, row); y++) {
        const start = first + (y << level);
        index.cells.fill(MIXED, start + cell(minX + WEST, column), start + cell(maxX + WEST, column) + 1);
      }
    }
  }
}

/**
 * Answers everything that is unmarked. No edge touches the tiles between two tiles with blocks, or between a block and
 * either end of a row of tiles: each such stretch gets one answer. There are hundreds of thousands of tiles, and few have
 * a block.
 */
function answerTiles(index: CellIndex, blocks: readonly number[], locate: (x: number, y: number) => number): void {
  const answerFrom = (from: number, to: number): void => {
    if (from < to) index.tiles.fill(answer(tileCenter(from), locate), from, to);
  };
  let block = 0;
  for (let from = 0; from < index.tiles.length; ) {
    const rowEnd = (Math.floor(from / TILE_COLUMNS) + 1) * TILE_COLUMNS;
    const tile = blocks[block] ?? index.tiles.length;
    answerFrom(from, Math.min(tile, rowEnd));
    if (tile < rowEnd) {
      answerCells(index, tile, locate);
      block++;
    }
    from = Math.min(tile + 1, rowEnd);
  }
}

/** Answers a block's unmarked cells. */
function answerCells(index: CellIndex, tile: number, locate: (x: number, y: number) => number): void {
  const block = (index.tiles[tile] ?? 0) - HAS_BLOCK;
  const level = index.blockLevels[block] ?? 0;
  const side = 2 ** level;
  const cellSize = TILE_SIZE / side;
  const cells = index.cells.subarray(index.blockFirsts[block], (index.blockFirsts[block] ?? 0) + side * side);
  const west = (tile % TILE_COLUMNS) * TILE_SIZE - WEST;
  const south = Math.floor(tile / TILE_COLUMNS) * TILE_SIZE - SOUTH;
  for (let at = 0; at < cells.length; at++) {
    if (cells[at] !== UNKNOWN) continue;
    const column = at % side;
    const left = column > 0 ? (cells[at - 1] ?? MIXED) : MIXED;
    const neighbouring = left === MIXED ? (cells[at - side] ?? MIXED) : left;
    cells[at] = isAnswer(neighbouring)
      ? neighbouring
      : answer({ x: west + (column + 0.5) * cellSize, y: south + (Math.floor(at / side) + 0.5) * cellSize }, locate);
  }
}

/** Whether a neighbouring cell's value is an answer, which an unmarked cell then shares. */
const isAnswer = (neighbouring: number): boolean => neighbouring < MIXED || neighbouring === NO_ROW;

/** The answer of the outlines for a cell's center. */
function answer(center: { x: number; y: number }, locate: (x: number, y: number) => number): number {
  const row = locate(center.x, center.y);
  return row < 0 ? NO_ROW : row;
}

function tileCenter(tile: number): { x: number; y: number } {
  return {
    x: ((tile % TILE_COLUMNS) + 0.5) * TILE_SIZE - WEST,
    y: (Math.floor(tile / TILE_COLUMNS) + 0.5) * TILE_SIZE - SOUTH,
  };
}
