import { nthSmallest } from './nth-smallest.js';

/** Collects candidates by an estimate of their distance, and lets go of those that cannot be among the nearest. */
export interface NearestSelection {
  /** An estimate above this is no longer of interest. It falls as candidates come in. */
  limit: number;
  add(estimate: number, row: number): void;
  /**
   * The rows of all candidates that may be among the wanted ones, in the order of their estimates where they are few: then
   * little is left to do for who sorts them exactly. Good until the next selection begins.
   */
  finish(): Uint32Array;
}

/** Up to here insertion sort is the fastest. */
const FEW = 150;

/** Room beside the wanted candidates, so that few candidates do not mean sifting at every other one. */
const SPARE = 64;

/**
 * Where a selection begins, one at a time. Typed arrays of its own would cost more than its work; where there are more
 * candidates than this, it goes on in larger ones.
 */
const SCRATCH_SIZE = 1024;
const SCRATCH = {
  estimates: new Float64Array(SCRATCH_SIZE),
  rows: new Uint32Array(SCRATCH_SIZE),
  ordered: new Float64Array(SCRATCH_SIZE),
};

/**
 * A selection of the `wanted` nearest, at least 1. `widen` gives, for an estimate, the greatest estimate that something no
 * farther away can have: estimates need not be exact, and what ties with the last one wanted is kept. O(1) a candidate.
 */
export function createNearestSelection(
  wanted: number,
  firstLimit: number,
  widen: (estimate: number) => number,
): NearestSelection {
  let { estimates, rows, ordered } = SCRATCH;
  let capacity = Math.min(2 * wanted + SPARE, SCRATCH_SIZE);
  let count = 0;

  /** Keeps those within the limit that the wanted nearest so far set. */
  const sift = (): void => {
    if (count <= wanted) return;
    for (let at = 0; at < count; at++) ordered[at] = estimates[at] ?? 0;
    selection.limit = Math.min(selection.limit, widen(nthSmallest(ordered, count, wanted - 1)));
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const estimate = estimates[at] ?? 0;
      if (estimate > selection.limit) continue;
      estimates[kept] = estimate;
      rows[kept++] = rows[at] ?? 0;
    }
    count = kept;
  };
  const makeRoom = (): void => {
    sift();
    // Where most of them stay (many are wanted, or they tie), sifting again soon would be in vain.
    if (2 * count <= capacity) return;
    capacity *= 2;
    if (capacity <= estimates.length) return;
    const former = { estimates, rows };
    estimates = new Float64Array(capacity);
    rows = new Uint32Array(capacity);
    ordered = new Float64Array(capacity);
    estimates.set(former.estimates);
    rows.set(former.rows);
  };
  const selection: NearestSelection = {
    limit: firstLimit,
    add: (estimate, row) => {
      if (count === capacity) makeRoom();
      estimates[count] = estimate;
      rows[count++] = row;
    },
    finish: () => {
      sift();
      if (count <= FEW) sortByEstimate(estimates, rows, count);
      return rows.subarray(0, count);
    },
  };
  return selection;
}

/** Insertion sort: numbers in typed arrays move at a fraction of what it costs to move objects. */
function sortByEstimate(estimates: Float64Array, rows: Uint32Array, count: number): void {
  for (let at = 1; at < count; at++) {
    const estimate = estimates[at] ?? 0;
    const row = rows[at] ?? 0;
    let free = at;
    for (; free > 0; free--) {
      const before = estimates[free - 1] ?? 0;
      if (before <= estimate) break;
      estimates[free] = before;
      rows[free] = rows[free - 1] ?? 0;
    }
    estimates[free] = estimate;
    rows[free] = row;
  }
}
