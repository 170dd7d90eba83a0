import Flatbush from 'flatbush';
import type { ContainerReader } from './container-reader.js';
import { viewOf } from './copy-text.js';
import { FormatError } from './format-error.js';

// `as number` in this file: reads of typed arrays at indices that the loops bound, where a check would cost a tenth of
// the search.

/** Children per node; flatbush's default. */
const NODE_SIZE = 16;

/** Flatbush's serialized header: magic, version and type, node size, item count. */
const HEADER_BYTES = 8;

/** From this many nodes on, flatbush stores indices in 32 bits, below that in 16. */
const WIDE_NODES = 16384;

/** Builds a packed Hilbert R-tree over integer boxes given as minX, minY, maxX, maxY. */
export function buildRTree(boxes: Int32Array): Uint8Array {
  const count = boxes.length / 4;
  if (count === 0) return new Uint8Array(0);
  const tree = new Flatbush(count, NODE_SIZE, Int32Array);
  for (let item = 0; item < boxes.length; item += 4) {
    tree.add(boxes[item] ?? 0, boxes[item + 1] ?? 0, boxes[item + 2] ?? 0, boxes[item + 3] ?? 0);
  }
  tree.finish();
  return new Uint8Array(tree.data);
}

/**
 * Finds items by their boxes. Reads flatbush's serialized form in place, whatever its offset. Flatbush's own search collects
 * its hits in arrays, which for a single point costs more than the search, and in a damaged tree it may never end.
 */
export interface RTree {
  /** Calls `visit` with each item whose box overlaps or touches the given one. `visit` must not start a search itself. */
  forEachIn(minX: number, minY: number, maxX: number, maxY: number, visit: (item: number) => void): void;
}

/** Opens the R-tree in a section of an opened file. Throws FormatError if it is not an R-tree over `itemCount` items. */
export function readRTree(container: ContainerReader, section: string, itemCount: number): RTree {
  const bytes = container.bytes(section);
  const damaged = (detail: string): FormatError => new FormatError('bad-index', container.label, detail, section);
  const expectedBytes = itemCount === 0 ? 0 : treeBytes(levelEnds(itemCount));
  if (bytes.byteLength !== expectedBytes) {
    throw damaged(`is ${bytes.byteLength} bytes; an R-tree over ${itemCount} items has ${expectedBytes}`);
  }
  const found = itemCount === 0 ? 0 : countItems(bytes);
  if (found !== itemCount) throw damaged(`is an R-tree over ${found} items, not ${itemCount}`);
  return openRTree(bytes);
}

/** Opens an R-tree made by {@link buildRTree}, unchecked; `bytes` must be aligned to 4. */
export function openRTree(bytes: Uint8Array): RTree {
  if (bytes.byteLength === 0) return { forEachIn: () => {} };
  const itemCount = countItems(bytes);
  const levelBounds = levelEnds(itemCount);
  const nodeCount = levelBounds.at(-1) ?? 0;
  const boxes = new Int32Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, nodeCount * 4);
  const indexOffset = bytes.byteOffset + HEADER_BYTES + nodeCount * 16;
  const indices =
    nodeCount < WIDE_NODES
      ? new Uint16Array(bytes.buffer, indexOffset, nodeCount)
      : new Uint32Array(bytes.buffer, indexOffset, nodeCount);

  // The depth of the stack is bounded: each level of the tree leaves at most NODE_SIZE − 1 nodes on it.
  const stack = new Int32Array(levelBounds.length * NODE_SIZE);

  const forEachIn: RTree['forEachIn'] = (minX, minY, maxX, maxY, visit) => {
    let depth = 0;
    let node = nodeCount - 1;
    let end = nodeCount;
    // Bounded, since damaged indices may form a cycle.
    for (let left = nodeCount; left > 0; left--) {
      for (let at = node; at < end; at++) {
        const box = at * 4;
        if (maxX < (boxes[box] as number) || maxY < (boxes[box + 1] as number)) continue;
        if (minX > (boxes[box + 2] as number) || minY > (boxes[box + 3] as number)) continue;
        if (at < itemCount) visit(indices[at] as number);
        else stack[depth++] = (indices[at] as number) >> 2;
      }
      if (depth === 0) return;
      node = stack[--depth] as number;
      end = Math.min(node + NODE_SIZE, levelEndAbove(levelBounds, node));
    }
  };
  return { forEachIn };
}

/** The number of items according to the header. */
function countItems(bytes: Uint8Array): number {
  return viewOf(bytes).getUint32(4, true);
}

/** The size of a tree: the header, then a box of four numbers and an index per node. */
function treeBytes(levelEnds: readonly number[]): number {
  const nodeCount = levelEnds.at(-1) ?? 0;
  return HEADER_BYTES + nodeCount * (16 + (nodeCount < WIDE_NODES ? 2 : 4));
}

/** The end (exclusive) of each level's nodes, from the items up to the root. */
function levelEnds(itemCount: number): number[] {
  let nodes = itemCount;
  let total = itemCount;
  const ends = [total];
  do {
    nodes = Math.ceil(nodes / NODE_SIZE);
    total += nodes;
    ends.push(total);
  } while (nodes !== 1);
  return ends;
}

function levelEndAbove(levelEnds: readonly number[], node: number): number {
  for (const end of levelEnds) if (end > node) return end;
  return node;
}
