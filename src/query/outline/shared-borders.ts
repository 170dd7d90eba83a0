import type { OutlinesFile } from '../../format/outlines-file.js';
import { boxOf, type Ring } from './ring.js';
import { createVertexIds, type VertexIds } from './vertex-ids.js';

// `as number` in this file: reads of typed arrays at indices that the loops bound.

/** The vertices of some tracts' outlines, and where borders meet. */
export interface SharedBorders {
  readonly vertices: VertexIds;
  /** By vertex id: 1 where the course of the border is not the same for all rings that pass. */
  readonly junctions: Uint8Array;
}

/** What is needed of the outlines' file. */
export type Outlines = Pick<OutlinesFile, 'rings' | 'rowsInBox'>;

/**
 * Finds the junctions on the outlines of some rows: the vertices from which not all rings that pass them, of these tracts or
 * any around them, go on to the same two vertices. Between junctions a border has the same tract on either side throughout.
 *
 * The tracts around are looked at even where they are not wanted themselves. So what is a junction follows from the data
 * alone, and a border is cut into the same pieces whichever of its tracts are asked for.
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

/** Notes the two neighbours that the first ring gives a vertex, and marks the vertex when another ring differs. */
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
    // The last position is the first again: the one before it precedes the first.
    const end = ring.length - 2;
    if (end < 2) return;
    let before = idOf(ring[end - 2] as number, ring[end - 1] as number);
    let id = idOf(ring[0] as number, ring[1] as number);
    for (let at = 2; at <= end; at += 2) {
      const after = idOf(ring[at] as number, ring[at + 1] as number);
      // A vertex that is repeated at once is one vertex.
      if (after === id && id >= 0) continue;
      if (id >= 0) pass(id, before, after);
      before = id;
      id = after;
    }
  };
  return {
    junctions,
    /** A ring of the wanted tracts. */
    addRing: (ring: Ring) => walk(ring, vertices.add),
    /** A ring of a tract around: it has no vertices of interest but those that are there already. */
    passRing: (ring: Ring) => walk(ring, vertices.find),
  };
}
