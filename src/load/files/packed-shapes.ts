import type { ShpRecord } from './shp.js';

/** Shapes as sent from one thread to another: all vertices are in one array, which is transferred without a copy. */
export interface PackedShapes {
  readonly records: readonly number[];
  /** How many rings each record has; 0 if it has a problem. */
  readonly ringCounts: readonly number[];
  /** How many numbers each ring takes: two per vertex. */
  readonly ringLengths: readonly number[];
  readonly vertices: Int32Array<ArrayBuffer>;
  /** By record, why it is no outline. */
  readonly problems: ReadonlyMap<number, string>;
}

/** How many numbers are sent at a time: few enough for the receiver to work on them while more are read. */
const FULL = 2 ** 18;

/** Collects shapes until there are enough to send. */
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

  /** Returns the shapes collected, and starts over. */
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

/** Calls `onRecord` with each shape, in the order in which they were added; their rings are views of the packed array. */
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
