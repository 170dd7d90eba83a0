/** The overall ranks of a file's tracts by state (two-digit FIPS), as far as they have one. */
export type RanksByState = Map<string, number[]>;

/** Adds a tract's rank; −999 is none. */
export function addRank(ranks: RanksByState, state: string, rank = Number.NaN): void {
  const known = ranks.get(state) ?? [];
  if (rank >= 0) known.push(rank);
  ranks.set(state, known);
}

/**
 * Whether a file's ranks are within states: of one state they are taken to be; of several where each state has a first and
 * a last tract, of which the nation has one, or where one state's ranks are those of its own list. That one was not cut
 * out of the nation, whatever part of another state is beside it.
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

/** Every state has more tracts; fewer ranks can lie evenly by chance. */
const LEAST_TRACTS = 100;
/** Ranks have four decimals; what is more makes up for a few rows that are lost or there twice. */
const TOLERANCE = 0.01;

/** Whether each rank is the share of the list that is below it: tracts of one rank have the first one's. */
function isOwnList(sorted: Float64Array): boolean {
  if (sorted.length < LEAST_TRACTS || !hasFirstAndLast(sorted)) return false;
  let below = 0;
  return sorted.every((rank, at) => {
    if (rank !== sorted[at - 1]) below = at;
    return Math.abs(rank - below / (sorted.length - 1)) <= TOLERANCE;
  });
}
