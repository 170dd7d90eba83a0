import type { ShpRecord } from './shp.js';

/** Shapes as they pass from one thread to another: the vertices of all of them in one array, which is not copied. */
export interface PackedShapes {
  readonly records: readonly number[];
  /** How many rings each record has; none where it has a problem. */
  readonly ringCounts: readonly number[];
  /** How many numbers each ring takes. */
  readonly ringLengths: readonly number[];
  readonly vertices: Int32Array<ArrayBuffer>;
  /** Why a record is no outline, by record. */
  readonly problems: ReadonlyMap<number, string>;
}

/** So many numbers go at a time: few enough for the receiver to work on while more are read. */
const FULL = 2 ** 18;

/** Gathers shapes until they are enough to be sent. */
export class ShapePacker {
  private records: number[] = [];
  private ringCounts: number[] = [];
  private rings: Int32Array[] = [];
  private problems = new Map<number, string>();
  private length = 0;

  get isFull(): boolean {
    return this.length >= FULL;
  }

  add(record: number, shape: ShpRecord): void {
    this.records.push(record);
    if ('problem' in shape) {
      this.problems.set(record, shape.problem);
      this.ringCounts.push(0);
      return;
    }
    this.ringCounts.push(shape.rings.length);
    for (const ring of shape.rings) {
      this.rings.push(ring);
      this.length += ring.length;
    }
  }

  /** Gives what was gathered, and begins anew. */
  take(): PackedShapes {
    const { records, ringCounts, rings, problems } = this;
    const vertices = new Int32Array(this.length);
    let end = 0;
    for (const ring of rings) {
      vertices.set(ring, end);
      end += ring.length;
    }
    [this.records, this.ringCounts, this.rings, this.problems, this.length] = [[], [], [], new Map(), 0];
    return { records, ringCounts, ringLengths: rings.map((ring) => ring.length), vertices, problems };
  }
}

/** Calls `onRecord` with each shape, in the order in which they were added; their rings lie in the packed array. */
export function unpackShapes(packed: PackedShapes, onRecord: (record: number, shape: ShpRecord) => void): void {
  const { records, ringCounts, ringLengths, vertices, problems } = packed;
  let ring = 0;
  let start = 0;
  records.forEach((record, at) => {
    const problem = problems.get(record);
    if (problem !== undefined) {
      onRecord(record, { problem });
      return;
    }
    const rings = ringLengths.slice(ring, ring + (ringCounts[at] ?? 0)).map((length) => {
      const points = vertices.subarray(start, start + length);
      start += length;
      return points;
    });
    ring += rings.length;
    onRecord(record, { rings });
  });
}
