import type { LatLng } from '../../core/coordinates.js';
import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import { stateByFips } from '../../core/states.js';
import type { TractRow } from '../model.js';

/** Whether every tract of a state (two letters) that has land has an outline; boundary files leave water out. */
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

/** Internal points of tracts by GEOID; Connecticut's by their county-based GEOIDs, too. */
export function tractPoints(
  tracts: readonly TractRow[],
  connecticutMoves: ReadonlyMap<Geoid, Geoid>,
): (geoid: Geoid) => LatLng | undefined {
  const byGeoid = new Map(tracts.map((tract) => [tract.geoid, tract]));
  return (geoid) => byGeoid.get(geoid) ?? byGeoid.get(connecticutMoves.get(geoid) ?? geoid);
}
