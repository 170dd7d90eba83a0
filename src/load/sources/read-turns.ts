/**
 * The order of reading: files are read in ascending order of their turns; a file without one has turn 0. Keys locate tables
 * and tracts in other files. For providers, the agencies' lists of sites decide which rows of the registry are wanted, the
 * registry decides whose further locations and coordinates are wanted, and of several lists or registry files the newest is
 * read first.
 */
export const READ_TURNS = { keys: -30, listedSites: -20, registry: -10, furtherLocations: 10, extracts: 20 } as const;

/** Divides a day such as 20240107 into a fraction of a turn. */
const DAYS = 1e8;

/** The turn of a dated file: within the same turn, later days come first, and files without a day last. */
export function newestFirst(turn: number, day: number | undefined): number {
  return turn - (day ?? 0) / DAYS;
}
