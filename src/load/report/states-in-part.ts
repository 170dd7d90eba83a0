import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import { groupBy } from '../../core/group-by.js';
import { abbreviationOf } from '../../core/states.js';
import type { TractRow } from '../intake/tract-rows.js';
import { readStateTractCounts } from '../tract-counts.js';

/** A state of which less is loaded than it has. */
export interface StateInPart {
  /** Postal abbreviation. */
  readonly state: string;
  /** The number of its tracts that are loaded. */
  readonly tracts: number;
  /** The number of its tracts in the Census gazetteer. */
  readonly of: number;
  /** The gazetteer that lists them; undefined if they were taken from their outlines. */
  readonly gazetteer: string | undefined;
}

/** The cartographic boundaries leave out tracts of water alone, a twentieth of Hawaii's and fewer of other states'. */
export const WHOLE_SHARE = 0.9;

/** The states of which too few tracts are loaded: a gazetteer or outlines that ended early, or are of some counties only. */
export function statesInPart(
  tracts: readonly TractRow[],
  gazetteerOf: (geoid: Geoid) => string | undefined,
): StateInPart[] {
  const existing = readStateTractCounts();
  return [...groupBy(tracts, ({ geoid }) => stateFipsOf(geoid))]
    .map(([fips, own]) => ({
      state: abbreviationOf(fips),
      tracts: own.length,
      of: existing.get(fips) ?? 0,
      gazetteer: own[0] && gazetteerOf(own[0].geoid),
    }))
    .filter((state) => state.tracts < state.of * WHOLE_SHARE);
}
