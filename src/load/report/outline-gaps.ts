import { countEach } from '../../core/count-each.js';
import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import { abbreviationOf } from '../../core/states.js';
import type { TractRow } from '../intake/tract-rows.js';
import { isInPart } from './metric-gaps.js';

/** Where points find no tract, as states by postal abbreviation. */
export interface OutlineGaps {
  /** None of their tracts has an outline. */
  readonly without: readonly string[];
  /** Some of their tracts have one, but not most. */
  readonly inPart: readonly string[];
}

/** The states that lack outlines: half of the files were downloaded, or the outlines are of some counties only. */
export function outlineGaps(tracts: readonly TractRow[], hasOutline: (geoid: Geoid) => boolean): OutlineGaps {
  const outlined = countByState(tracts.filter(({ geoid }) => hasOutline(geoid)));
  const states = [...countByState(tracts)];
  return {
    without: states.filter(([fips]) => !outlined.has(fips)).map(([fips]) => abbreviationOf(fips)),
    inPart: states.filter(([fips, total]) => isInPart(outlined.get(fips), total)).map(([fips]) => abbreviationOf(fips)),
  };
}

const countByState = (tracts: readonly TractRow[]): Map<string, number> =>
  countEach(tracts.map(({ geoid }) => stateFipsOf(geoid)));
