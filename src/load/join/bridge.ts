import { type Geoid, isWaterOnly, stateFipsOf } from '../../core/geoid.js';
import type { Intake } from '../intake/intake.js';
import type { Bridged, TractOverlap } from '../intake/tract-rows.js';
import type { TractVintage } from '../source-id.js';
import { codeOf2010 } from './codes-of-2010.js';
import { CONNECTICUT, connecticutAreasOf, type KnownTracts } from './known-tracts.js';

/**
 * A 2010 tract's value is taken for a 2020 tract only where both cover practically the same ground: each shares at least
 * this fraction of its land area with the other (of its total area if either has no land). A tract that was split, merged
 * or redrawn gets no value: nothing is apportioned, because a prevalence or a median cannot be.
 */
export const SAME_TRACT_MIN_SHARE = 0.975;

/** Cartographic boundaries omit water-only tracts, so a GEOID is not wrong merely because the outlines lack it. */
const WATER_WITHOUT_OUTLINE = 'water-only tract without an outline';

const OF_2010 = 'tract of 2010 in a file of a year with 2020 tracts: the year in its name or folder may be wrong';
export const UNKNOWN_TRACT = 'GEOID of an unknown tract';
const WITHOUT_CROSSWALK = 'Connecticut county tract, and the input has no Connecticut crosswalk';

/** Maps GEOIDs of any delineation to the tracts of the dataset. */
export interface Bridge {
  /** A `padded` GEOID had lost its leading zero; it is accepted only if restoring the zero gives a known tract. */
  resolve(geoid: Geoid, tractVintage: TractVintage, padded?: boolean): Bridged;
}

/** Builds the bridge to these tracts from the loaded crosswalks. */
export function createBridge(intake: Intake, tracts: KnownTracts): Bridge {
  const to2020 = sameGround(intake.overlaps);
  const known2010 = new Set(intake.overlaps.map((overlap) => overlap.geoid2010));
  const known2020 = new Set(intake.overlaps.map((overlap) => overlap.geoid2020));
  const isOf2010Alone = (geoid: Geoid): boolean => known2010.has(geoid) && !known2020.has(geoid);
  const statesOf2010 = new Set([...known2010].map(stateFipsOf));

  const tractOf2010 = (geoid: Geoid): Geoid => (known2010.has(geoid) ? geoid : (codeOf2010(geoid) ?? geoid));

  const spine = intake.hasGazetteer(CONNECTICUT) ? 'the gazetteer loaded has' : 'the newest outlines have';

  // A Connecticut GEOID of the other naming scheme than the loaded tracts'. One of the same scheme must be a known tract.
  const isRenamed = (geoid: Geoid): boolean =>
    stateFipsOf(geoid) === CONNECTICUT && connecticutAreasOf(geoid) !== tracts.connecticut;

  const resolve2020 = (geoid: Geoid): Bridged => {
    if (tracts.has(geoid)) return geoid;
    if (isWaterOnly(geoid) && !intake.hasGazetteer(stateFipsOf(geoid))) return { leave: WATER_WITHOUT_OUTLINE };
    if (!isRenamed(geoid)) return { reject: isOf2010Alone(geoid) ? OF_2010 : UNKNOWN_TRACT };
    if (tracts.connecticut === 'counties') return { leave: `Connecticut planning-region tract, ${spine} counties` };
    const moved = intake.connecticutMoves.get(geoid);
    if (moved !== undefined && tracts.has(moved)) return moved;
    return {
      leave:
        intake.connecticutMoves.size === 0
          ? WITHOUT_CROSSWALK
          : 'Connecticut county tract that is not in the crosswalk',
    };
  };

  return {
    resolve: (geoid, tractVintage, padded = false) => {
      // Of nearly all rows nothing else has to be known.
      if (tractVintage === 2020 && tracts.has(geoid)) return geoid;
      if (!tracts.hasState(stateFipsOf(geoid))) return { leave: 'the input has no tracts of this state' };
      // Without a relationship file nothing tells which 2010 tracts existed, nor does anything list Connecticut's tracts
      // under the other naming scheme: such GEOIDs are left out, padded or not.
      const undecided = tractVintage === 2010 ? known2010.size === 0 : isRenamed(geoid);
      if (
        padded &&
        !undecided &&
        !tracts.has(geoid) &&
        !known2010.has(tractOf2010(geoid)) &&
        !intake.connecticutMoves.has(geoid)
      ) {
        return { reject: 'GEOID of 10 digits that matches no tract with a leading zero' };
      }
      if (tractVintage === 2020) return resolve2020(geoid);
      const of2010 = tractOf2010(geoid);
      const successor = to2020.get(of2010);
      if (successor !== undefined) return resolve2020(successor);
      if (known2010.has(of2010)) return { leave: '2010 tract redrawn in 2020' };
      // Some further tracts got other codes within the decade, so such a GEOID need not be wrong.
      if (statesOf2010.has(stateFipsOf(geoid))) return { leave: '2010 tract that is not in the relationship file' };
      return { leave: '2010 tract without a relationship file' };
    },
  };
}

function sameGround(overlaps: readonly TractOverlap[]): Map<Geoid, Geoid> {
  const moves = new Map<Geoid, Geoid>();
  for (const overlap of overlaps) {
    const dry = overlap.land2010Sqm > 0 && overlap.land2020Sqm > 0;
    const [part, of2010, of2020] = dry
      ? [overlap.landPartSqm, overlap.land2010Sqm, overlap.land2020Sqm]
      : [
          overlap.landPartSqm + overlap.waterPartSqm,
          overlap.land2010Sqm + overlap.water2010Sqm,
          overlap.land2020Sqm + overlap.water2020Sqm,
        ];
    const share = part / Math.max(of2010, of2020);
    if (share >= SAME_TRACT_MIN_SHARE) moves.set(overlap.geoid2010, overlap.geoid2020);
  }
  return moves;
}
