import { boxOf } from '../../format/box.js';
import type { OutlinesFile } from '../../format/outlines-file.js';
import type { Ring } from './ring.js';
import { createVertexIds, type VertexIds } from './vertex-ids.js';

// `as number` in this file: reads of typed arrays at indices that the loops bound.

/** The vertices of some tracts' outlines, and the junctions where borders meet. */
export interface SharedBorders {
  readonly vertices: VertexIds;
  /** By vertex id: 1 for a junction, where rings that pass through the vertex take different courses. */
  readonly junctions: Uint8Array;
}

/** The parts of the outlines' file that are needed. */
export type Outlines = Pick<OutlinesFile, 'rings' | 'rowsInBox'>;

/**
 * Finds the junctions on the outlines of some rows: the vertices whose two neighbours are not the same in all rings that
 * pass through them, of these tracts or of any around them. Between junctions, a border has the same tract on either side.
 *
 * The surrounding tracts are considered even if they are not requested. So junctions depend on the data alone, and a border
 * is cut into the same pieces whichever of its tracts are requested.
 */
export function findJunctions(outlines: Outlines, rows: readonly number[]): SharedBorders {
  const rings = rows.flatMap((row) => outlines.rings(row));
  const vertices = createVertexIds(rings.reduce((sum, ring) => sum + ring.length / 2, 0));
  const survey = createSurvey(vertices);
  const around = new Set<number>();
  for (const ring of rings) {
    survey.addRing(ring);
    for (const row of outlines.rowsInBox(...boxOf(ring))) around.add(row);
  }
  for (const row of rows) around.delete(row);
  for (const row of around) for (const ring of outlines.rings(row)) survey.passRing(ring);
  return { vertices, junctions: survey.junctions };
}

/** Records the two neighbours of each vertex in the first ring that passes, and marks the vertex if another ring differs. */
function createSurvey(vertices: VertexIds) {
  const junctions = new Uint8Array(vertices.xs.length);
  const neighboursA = new Int32Array(vertices.xs.length).fill(-1);
  const neighboursB = new Int32Array(vertices.xs.length).fill(-1);

  const pass = (id: number, before: number, after: number): void => {
    const a = neighboursA[id] as number;
    const b = neighboursB[id] as number;
    if (a < 0) {
      neighboursA[id] = before;
      neighboursB[id] = after;
    } else if (!((a === before && b === after) || (a === after && b === before))) junctions[id] = 1;
  };
  const walk = (ring: Ring, idOf: (x: number, y: number) => number): void => {
    // The last position repeats the first, so the first vertex is preceded by the last but one.
    const end = ring.length - 2;
    if (end < 2) return;
    let before = idOf(ring[end - 2] as number, ring[end - 1] as number);
    let id = idOf(ring[0] as number, ring[1] as number);
    for (let at = 2; at <= end; at += 2) {
      const after = idOf(ring[at] as number, ring[at + 1] as number);
      if (id >= 0) pass(id, before, after);
      before = id;
      id = after;
    }
  };
  return {
    junctions,
    /** Adds a ring of the requested tracts. */
    addRing: (ring: Ring) => walk(ring, vertices.add),
    /** Passes a ring of a surrounding tract, of which only vertices that have been added before matter. */
    passRing: (ring: Ring) => walk(ring, vertices.find),
  };
}
