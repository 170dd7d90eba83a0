import { obtain } from '../../../core/obtain.js';

/** By state (two-digit FIPS), the overall percentile ranks of those of a file's tracts that have one. */
export type RanksByState = Map<string, number[]>;

/** Adds a tract's rank; −999 means that it has none. */
export function addRank(ranks: RanksByState, state: string, rank = Number.NaN): void {
  const known = obtain(ranks, state, () => []);
  if (rank >= 0) known.push(rank);
}

/**
 * Whether a file's ranks are within states. Those of a file with one state are taken to be. Those of several states are if
 * every state has both a lowest and a highest rank (0 and 1), of which the nation has one each; or if one state's ranks are
 * those of a list of its own, so that it was not cut out of the nation, whatever part of another state is beside it.
 */
export function areWithinStates(ranks: RanksByState): boolean {
  const states = [...ranks.values()].map((unsorted) => Float64Array.from(unsorted).sort());
  return (
    states.length === 1 ||
    (states.length > 1 && states.every(hasFirstAndLast)) ||
    states.some((state) => isOwnList(state))
  );
}

const hasFirstAndLast = (sorted: Float64Array): boolean => sorted[0] === 0 && sorted.at(-1) === 1;

/** Every state has more tracts than this, and fewer ranks may be evenly spaced by chance. */
const LEAST_TRACTS = 100;
/** Ranks have four decimals; the rest allows for a few rows that are missing or there twice. */
const TOLERANCE = 0.01;

/** Whether each rank is the share of the list below it; tied tracts all have the rank of the first of them. */
function isOwnList(sorted: Float64Array): boolean {
  if (sorted.length < LEAST_TRACTS || !hasFirstAndLast(sorted)) return false;
  let below = 0;
  return sorted.every((rank, at) => {
    if (rank !== sorted[at - 1]) below = at;
    return Math.abs(rank - below / (sorted.length - 1)) <= TOLERANCE;
  });
}
