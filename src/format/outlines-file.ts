import { type LatLng, quantize } from '../core/coordinates.js';
import type { ByteSource } from './byte-source.js';
import { buildCells } from './cell-builder.js';
import { type CellIndex, cellAt, MIXED, NO_ROW, TILE_COLUMNS, TILE_ROWS, WEST } from './cell-index.js';
import type { SectionEntry } from './container-header.js';
import { type ContainerReader, openContainer } from './container-reader.js';
import { numbers, opaque, writeContainer } from './container-writer.js';
import { indexOutlines } from './outline-builder.js';
import { type OutlineIndex, partContains, type Rings } from './outline-index.js';
import { buildPartGrid, firstPartAt, type PartGrid } from './part-grid.js';
import { requireAscending } from './require-ascending.js';
import { openRTree, type RTree, readRTree } from './rtree.js';

export const OUTLINES_FILE = 'outlines.tctx';
export const OUTLINES_KIND = 'outlines';

/** Writes outlines.tctx from each row's rings, with a grid over all outlines and an R-tree over their parts. */
export function writeOutlinesFile(path: string, outlines: readonly Rings[]): SectionEntry[] {
  const index = indexOutlines(outlines);
  const cells = buildCells(index, searchTree(index, index.partRows, openRTree(index.rTree)));
  const squares = buildPartGrid(cells, index.partBoxes);
  return writeContainer(path, OUTLINES_KIND, [
    numbers('row/first-ring', index.firstRings),
    numbers('ring/first-vertex', index.ringVertices),
    numbers('part/row', index.partRows),
    numbers('part/first-chunk', index.firstChunks),
    numbers('part/box', index.partBoxes),
    opaque('part/r-tree', index.rTree),
    numbers('chunk/box', index.chunkBoxes),
    numbers('chunk/first-vertex', index.chunkVertices),
    numbers('chunk/edges', index.chunkEdges),
    numbers('cell/tile', cells.tiles),
    numbers('cell/block-level', cells.blockLevels),
    numbers('cell/block-first', cells.blockFirsts),
    numbers('cell/value', cells.cells),
    numbers('square/level', squares.levels),
    numbers('square/first', squares.firsts),
    numbers('square/start', squares.starts),
    numbers('square/part', squares.parts),
    numbers('vertex', index.vertices),
  ]);
}

/** outlines.tctx, opened in place. */
export interface OutlinesFile {
  readonly container: ContainerReader;
  /** How many tracts have an outline. */
  readonly outlineCount: number;
  /**
   * The row of the tract at a point, or −1. A point on a border belongs to every tract that touches it; of these, the one
   * with the least GEOID is always returned. The point is rounded to 1e-7 degrees (about a centimetre).
   */
  locate(point: LatLng): number;
  /** The rings of a row, in place. */
  rings(row: number): Rings;
  /** The rows with a part whose box overlaps or touches the given one (1e-7 degrees); ascending, without duplicates. */
  rowsInBox(minX: number, minY: number, maxX: number, maxY: number): number[];
}

/** Opens outlines.tctx and checks its header and section table. Throws FormatError. */
export function openOutlinesFile(source: ByteSource, rowCount: number): OutlinesFile {
  const container = openContainer(source, OUTLINES_KIND);
  const firstRings = container.uint32('row/first-ring', rowCount + 1);
  const ringVertices = container.uint32('ring/first-vertex');
  const partRows = container.uint32('part/row');
  const chunkVertices = container.uint32('chunk/first-vertex');
  const index: OutlineIndex = {
    firstChunks: container.uint32('part/first-chunk', partRows.length + 1),
    chunkBoxes: container.int32('chunk/box', chunkVertices.length * 4),
    chunkVertices,
    chunkEdges: container.uint8('chunk/edges', chunkVertices.length),
    vertices: container.int32('vertex'),
  };
  requireAscending(container, 'row/first-ring', firstRings, ringVertices.length - 1);
  requireAscending(container, 'ring/first-vertex', ringVertices, index.vertices.length / 2);
  requireAscending(container, 'part/first-chunk', index.firstChunks, chunkVertices.length);
  const blockLevels = container.uint8('cell/block-level');
  const cells: CellIndex = {
    tiles: container.uint32('cell/tile', TILE_COLUMNS * TILE_ROWS),
    blockLevels,
    blockFirsts: container.uint32('cell/block-first', blockLevels.length),
    cells: container.uint32('cell/value'),
  };
  const squares: PartGrid = {
    levels: container.uint8('square/level', blockLevels.length),
    firsts: container.uint32('square/first', blockLevels.length),
    starts: container.uint32('square/start'),
    parts: container.uint32('square/part'),
    boxes: container.int32('part/box', partRows.length * 4),
  };
  requireAscending(container, 'square/start', squares.starts, squares.parts.length);
  const tree = readRTree(container, 'part/r-tree', partRows.length);
  const contains = (part: number, x: number, y: number): boolean => partContains(index, part, x, y);
  const at = (x: number, y: number): number => {
    const known = cellAt(cells, x, y);
    if (known === NO_ROW) return -1;
    if (known !== MIXED) return known;
    // Parts are in the order of their rows, so the first part that contains the point has the least GEOID.
    const part = firstPartAt(cells, squares, x, y, contains);
    return part < 0 ? -1 : (partRows[part] ?? -1);
  };

  return {
    container,
    outlineCount: countWithRings(firstRings),
    locate: ({ lat, lng }) => {
      const x = quantize(lng);
      const y = quantize(lat);
      const row = at(x, y);
      if (Math.abs(x) !== WEST) return row;
      // The antimeridian has two longitudes, 180 and −180, and outlines that end at it use either.
      const other = at(-x, y);
      return row < 0 || (other >= 0 && other < row) ? other : row;
    },
    rings: (row) => {
      const rings: Int32Array[] = [];
      for (let ring = firstRings[row] ?? 0; ring < (firstRings[row + 1] ?? 0); ring++) {
        rings.push(index.vertices.subarray((ringVertices[ring] ?? 0) * 2, (ringVertices[ring + 1] ?? 0) * 2));
      }
      return rings;
    },
    rowsInBox: (minX, minY, maxX, maxY) => {
      const rows = new Set<number>();
      tree.forEachIn(minX, minY, maxX, maxY, (part) => rows.add(partRows[part] ?? -1));
      return [...rows].sort((a, b) => a - b);
    },
  };
}

/** Searches without the grid: the least row whose outline contains the point (1e-7 degrees), or −1. */
function searchTree(index: OutlineIndex, partRows: Uint32Array, tree: RTree): (x: number, y: number) => number {
  let x = 0;
  let y = 0;
  let best = -1;
  const visit = (part: number): void => {
    const row = partRows[part] ?? -1;
    if ((best < 0 || row < best) && partContains(index, part, x, y)) best = row;
  };
  return (atX, atY) => {
    x = atX;
    y = atY;
    best = -1;
    tree.forEachIn(x, y, x, y, visit);
    return best;
  };
}

function countWithRings(firstRings: Uint32Array): number {
  let count = 0;
  for (let row = 1; row < firstRings.length; row++) if (firstRings[row] !== firstRings[row - 1]) count++;
  return count;
}
