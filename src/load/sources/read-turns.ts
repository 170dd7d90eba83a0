/**
 * When a file is read: files are read in ascending order of their turns, 0 for those that have none. Keys say what is
 * where in other files. Of providers, what an agency lists decides which rows of the registry are wanted, the registry
 * decides whose further locations and coordinates are, and of the registry's files the newest goes first.
 */
export const READ_TURNS = { keys: -30, listedSites: -20, registry: -10, furtherLocations: 10, extracts: 20 } as const;

/** Dated files' days, such as 20240107, become shares of a turn. */
const DAYS = 1e8;

/** Within the turn, the file of a later day goes first, and one without a day last. */
export function newestFirst(turn: number, day: number | undefined): number {
  return turn - (day ?? 0) / DAYS;
}
