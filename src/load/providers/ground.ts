import type { LatLng } from '../../core/coordinates.js';
import { type Geoid, stateFipsOf } from '../../core/geoid.js';
import { stateByFips } from '../../core/states.js';
import type { Intake } from '../intake/intake.js';
import type { TractRow } from '../intake/tract-rows.js';
import type { Practice } from './provider.js';

/** Geocodes an address; undefined if it cannot be located. */
export type LocateAddress = (address: Practice) => LatLng | undefined;

/**
 * Opens a geocoder over the address ranges that have been written to a directory. The loader knows no more of the geocoder
 * than this interface: the caller that starts a compile passes it in.
 */
export type OpenAddressLocator = (
  directory: string,
  outlines: { readonly locate: (point: LatLng) => number },
) => { readonly locate: LocateAddress; release(): void };

/** The map on which providers are placed. */
export interface Ground {
  /** The tracts by row. */
  readonly tracts: readonly { readonly geoid: Geoid }[];
  /** The row of the tract that holds a point, or −1. */
  readonly locate: (point: LatLng) => number;
  /** Whether the outlines cover all land of a state (two letters), so that a point in none of them is not in the state. */
  readonly isCovered: (state: string) => boolean;
  /** A tract's GEOID in the dataset, where it is published by another: Connecticut's by their counties. */
  readonly currentGeoid: (geoid: Geoid) => Geoid;
  /** The internal points of tracts, from which the point of a ZIP is derived. */
  readonly internalPointOf: (geoid: Geoid) => LatLng | undefined;
  /** Geocodes by the loaded address ranges; undefined if there are none. */
  readonly locateAddress: LocateAddress | undefined;
}

/** The ground, as far as the tracts and what is known of them make it. */
export function groundOf(
  tracts: readonly TractRow[],
  { outlines, connecticutMoves }: Pick<Intake, 'outlines' | 'connecticutMoves'>,
): Omit<Ground, 'locate' | 'locateAddress'> {
  const byGeoid = new Map(tracts.map((tract) => [tract.geoid, tract]));
  const currentGeoid = (geoid: Geoid): Geoid => (byGeoid.has(geoid) ? geoid : (connecticutMoves.get(geoid) ?? geoid));
  const covered = new Map<string, boolean>();
  for (const { geoid, landSqm } of tracts) {
    const state = stateByFips(stateFipsOf(geoid))?.abbreviation ?? '';
    // Boundary files omit tracts of water alone.
    covered.set(state, (landSqm === 0 || outlines.has(geoid)) && (covered.get(state) ?? true));
  }
  return {
    tracts,
    isCovered: (state) => covered.get(state) ?? false,
    currentGeoid,
    internalPointOf: (geoid) => byGeoid.get(currentGeoid(geoid)),
  };
}
