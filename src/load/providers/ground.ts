import type { LatLng } from '../../core/coordinates.js';
import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import { stateByFips } from '../../core/states.js';
import type { TractRow } from '../model.js';

/** Tells whether all of a state's (two letters) tracts with land have outlines; boundary files omit water-only tracts. */
export function isCoveredBy(
  tracts: readonly Pick<TractRow, 'geoid' | 'landSqm'>[],
  hasOutline: (geoid: Geoid) => boolean,
): (state: string) => boolean {
  const covered = new Map<string, boolean>();
  for (const { geoid, landSqm } of tracts) {
    const state = stateByFips(stateFipsOf(geoid))?.abbreviation ?? '';
    covered.set(state, (landSqm === 0 || hasOutline(geoid)) && (covered.get(state) ?? true));
  }
  return (state) => covered.get(state) ?? false;
}

/** Looks up the internal points of tracts by GEOID; Connecticut's also by their county-based GEOIDs. */
export function tractPoints(
  tracts: readonly TractRow[],
  connecticutMoves: ReadonlyMap<Geoid, Geoid>,
): (geoid: Geoid) => LatLng | undefined {
  const byGeoid = new Map(tracts.map((tract) => [tract.geoid, tract]));
  return (geoid) => byGeoid.get(geoid) ?? byGeoid.get(connecticutMoves.get(geoid) ?? geoid);
}
