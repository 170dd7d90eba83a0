import { countEach } from '../../core/count-each.js';
import { stateFipsOf } from '../../core/geoid.js';
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
}

/** The cartographic boundaries leave out tracts of water alone, a twentieth of Hawaii's and fewer of other states'. */
const WHOLE_SHARE = 0.9;

/** The states of which too few tracts are loaded: a gazetteer or outlines that ended early, or are of some counties only. */
export function statesInPart(tracts: readonly TractRow[]): StateInPart[] {
  const existing = readStateTractCounts();
  return [...countEach(tracts.map(({ geoid }) => stateFipsOf(geoid)))]
    .map(([fips, count]) => ({ state: abbreviationOf(fips), tracts: count, of: existing.get(fips) ?? 0 }))
    .filter((state) => state.tracts < state.of * WHOLE_SHARE);
}
