// `as number` in this file: reads of typed arrays at indices that the loops bound.

/** Assigns ids to vertices: equal coordinates get equal ids, numbered from 0 in the order in which they are added. */
export interface VertexIds {
  /** Coordinates by id. */
  readonly xs: Int32Array;
  readonly ys: Int32Array;
  /** The id of a vertex; assigns a new one if the vertex is not known yet. */
  add(x: number, y: number): number;
  /** The id of a vertex, or −1. */
  find(x: number, y: number): number;
}

/** An open-addressing hash table for at most `capacity` vertices: a Map would need a key object for each vertex. */
export function createVertexIds(capacity: number): VertexIds {
  const slotCount = 2 ** Math.ceil(Math.log2(Math.max(4, capacity * 2)));
  const slots = new Int32Array(slotCount).fill(-1);
  const xs = new Int32Array(capacity);
  const ys = new Int32Array(capacity);
  let count = 0;

  /** The slot that holds the vertex, or the free slot for it. */
  const slotOf = (x: number, y: number): number => {
    let slot = mix(x, y) & (slotCount - 1);
    for (;;) {
      const id = slots[slot] as number;
      if (id < 0 || (xs[id] === x && ys[id] === y)) return slot;
      slot = (slot + 1) & (slotCount - 1);
    }
  };
  return {
    xs,
    ys,
    add: (x, y) => {
      const slot = slotOf(x, y);
      const known = slots[slot] as number;
      if (known >= 0) return known;
      if (count === capacity) throw new RangeError(`more than ${capacity} vertices`);
      xs[count] = x;
      ys[count] = y;
      slots[slot] = count;
      return count++;
    },
    find: (x, y) => slots[slotOf(x, y)] as number,
  };
}

/** Spreads neighbouring coordinates over all bits (the finalizer of MurmurHash3). */
function mix(x: number, y: number): number {
  let hash = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
