import { type Box, boxAround, boxOf } from './box.js';
import { EDGES_PER_CHUNK, type OutlineIndex, type Rings } from './outline-index.js';
import { buildRTree } from './rtree.js';

/** The outlines and the indexes over their parts and edges, as written to outlines.tctx. */
export interface IndexedOutlines extends OutlineIndex {
  /** Each row's first ring; one more entry for the end. */
  readonly firstRings: Uint32Array;
  /** Each ring's first vertex; one more entry for the end. */
  readonly ringVertices: Uint32Array;
  /** By part: the row that it belongs to. */
  readonly partRows: Uint32Array;
  /** By part: minX, minY, maxX, maxY. */
  readonly partBoxes: Int32Array;
  readonly rTree: Uint8Array;
}

/**
 * Lays out the rings of all rows and builds the indexes over them.
 *
 * A row's rings are split into parts whose boxes do not overlap, so that islands (and the two halves of a tract on the
 * antimeridian) have boxes of their own. Parts can be tested independently: a ring cannot change the parity of a point
 * outside its box.
 */
export function indexOutlines(outlines: readonly Rings[]): IndexedOutlines {
  const parts: { row: number; rings: Rings; box: Box }[] = [];
  outlines.forEach((rings, row) => {
    for (const part of splitIntoParts(rings)) parts.push({ row, ...part });
  });
  const ringCount = parts.reduce((count, part) => count + part.rings.length, 0);
  const rings = parts.flatMap((part) => part.rings);
  const vertexCount = rings.reduce((count, ring) => count + ring.length / 2, 0);
  const chunkCount = rings.reduce((count, ring) => count + Math.ceil((ring.length / 2 - 1) / EDGES_PER_CHUNK), 0);

  const partBoxes = new Int32Array(parts.length * 4);
  parts.forEach(({ box }, part) => {
    partBoxes.set(box, part * 4);
  });
  const index: IndexedOutlines = {
    firstRings: new Uint32Array(outlines.length + 1),
    ringVertices: new Uint32Array(ringCount + 1),
    partRows: Uint32Array.from(parts, (part) => part.row),
    partBoxes,
    rTree: buildRTree(partBoxes),
    firstChunks: new Uint32Array(parts.length + 1),
    chunkBoxes: new Int32Array(chunkCount * 4),
    chunkVertices: new Uint32Array(chunkCount),
    chunkEdges: new Uint8Array(chunkCount),
    vertices: new Int32Array(vertexCount * 2),
  };
  let ring = 0;
  let vertex = 0;
  let chunk = 0;
  parts.forEach((part, position) => {
    for (const points of part.rings) {
      index.vertices.set(points, vertex * 2);
      chunk = addChunks(index, points, vertex, chunk);
      vertex += points.length / 2;
      index.ringVertices[++ring] = vertex;
    }
    index.firstChunks[position + 1] = chunk;
    index.firstRings[part.row + 1] = ring;
  });
  // A row without an outline begins where the previous row ends.
  for (let row = 1; row < index.firstRings.length; row++) {
    index.firstRings[row] = Math.max(index.firstRings[row] ?? 0, index.firstRings[row - 1] ?? 0);
  }
  return index;
}

/** Appends a ring's chunks and returns the number of chunks so far. */
function addChunks(index: IndexedOutlines, points: Int32Array, firstVertex: number, firstChunk: number): number {
  const edges = points.length / 2 - 1;
  let chunk = firstChunk;
  for (let start = 0; start < edges; start += EDGES_PER_CHUNK) {
    const count = Math.min(EDGES_PER_CHUNK, edges - start);
    index.chunkBoxes.set(boxOf(points, start, start + count), chunk * 4);
    index.chunkVertices[chunk] = firstVertex + start;
    index.chunkEdges[chunk] = count;
    chunk++;
  }
  return chunk;
}

/** Groups rings whose boxes overlap, directly or through others; groups in the order of their first ring. */
function splitIntoParts(rings: Rings): { rings: Rings; box: Box }[] {
  const parts: { rings: Int32Array[]; box: Box }[] = [];
  for (const ring of rings) {
    let joined = { rings: [ring], box: boxOf(ring) };
    // The joined box can overlap parts that the ring's own box did not.
    for (let at = parts.findIndex((part) => overlap(part.box, joined.box)); at >= 0; ) {
      const [part] = parts.splice(at, 1);
      if (part) joined = { rings: [...part.rings, ...joined.rings], box: boxAround([part.box, joined.box]) };
      at = parts.findIndex((other) => overlap(other.box, joined.box));
    }
    parts.push(joined);
  }
  return parts;
}

const overlap = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
