import { nthSmallest } from './nth-smallest.js';

/**
 * Collects candidates with estimated distances, and drops those that cannot be among the nearest.
 *
 * Why none is dropped wrongly: the limit is only lowered while there are candidates enough, to what {@link
 * createNearestSelection}'s `widen` gives for the last of the wanted by estimate. What is beyond that is farther away than
 * each of them, so it comes after them all, however candidates with the same distance are ordered.
 */
export interface NearestSelection {
  /** Candidates with an estimate above this need not be added. It decreases as candidates come in. */
  limit: number;
  add(estimate: number, row: number): void;
  /**
   * The rows of all candidates that may be among the wanted ones. If they are few, they are sorted by estimate, which leaves
   * little work to the caller's exact sort. Valid until the next selection begins.
   */
  finish(): Uint32Array;
}

/** Up to this many candidates, insertion sort is the fastest. */
const FEW = 150;

/** Extra capacity, so that a selection of few does not have to sift at every other candidate. */
const SPARE = 64;

/**
 * Shared by all selections, of which there is one at a time: allocating typed arrays would cost more than a selection's
 * work. A selection that outgrows these arrays moves on to larger ones of its own.
 */
const SCRATCH_SIZE = 1024;
const SCRATCH = arraysOf(SCRATCH_SIZE);

interface Arrays {
  /** By candidate. */
  readonly estimates: Float64Array;
  readonly rows: Uint32Array;
  /** Room for the estimates in another order. */
  readonly ordered: Float64Array;
}

function arraysOf(size: number): Arrays {
  return { estimates: new Float64Array(size), rows: new Uint32Array(size), ordered: new Float64Array(size) };
}

/** Larger arrays with the same candidates. */
function enlarge({ estimates, rows }: Arrays, size: number): Arrays {
  const larger = arraysOf(size);
  larger.estimates.set(estimates);
  larger.rows.set(rows);
  return larger;
}

/**
 * A selection of the `wanted` nearest, at least 1. `widen` returns, for an estimate, the greatest estimate of anything that
 * is no farther away: so estimates need not be exact, and ties with the last wanted candidate are kept.
 *
 * O(1) per candidate on average: sifting `count` candidates takes O(count), and happens when there is no room. It then makes
 * room for at least half as many, by what it drops or by doubling, before the next one.
 */
export function createNearestSelection(
  wanted: number,
  firstLimit: number,
  widen: (estimate: number) => number,
): NearestSelection {
  let { estimates, rows, ordered } = SCRATCH;
  let capacity = Math.min(2 * wanted + SPARE, SCRATCH_SIZE);
  let count = 0;

  /** Lowers the limit to that of the nearest so far, and drops the candidates beyond it. */
  const sift = (): void => {
    if (count <= wanted) return;
    // A copy, since finding the last of the wanted rearranges them.
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
    // If most candidates stay (many are wanted, or they tie), sifting again soon would achieve nothing.
    if (2 * count <= capacity) return;
    capacity *= 2;
    if (capacity > estimates.length) ({ estimates, rows, ordered } = enlarge({ estimates, rows, ordered }, capacity));
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

/** Insertion sort: moving numbers in typed arrays costs a fraction of moving objects. */
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
