import { distanceMiles, type LatLng } from '../../core/coordinates.js';
import { type Geoid, geoidFromNumber, stateFipsOf } from '../../core/geoid.js';
import { LOCATION_QUALITIES, type LocationQuality, PROVIDER_KINDS } from '../../core/provider-types.js';
import { stateByFips } from '../../core/states.js';
import { IN_NO_TRACT, type ProviderColumns } from '../../format/providers-file.js';
import type { Ground } from './ground.js';
import type { Position } from './provider.js';
import type { ProviderIntake } from './provider-intake.js';

/** The providers with their positions, in the order of the providers file. */
export interface PlacedProviders extends ProviderColumns {
  /** By row, the provider's index in the store. */
  readonly indices: Uint32Array;
}

/**
 * Some towns lie on both sides of a state border, so a point in the neighbouring state is accepted, with a note. A point
 * in another state and this far from the ZIP's is another place: no ZIP outside of Alaska extends so far.
 */
const FAR_MILES = 100;

const BESIDE = 'point in another state than the address';
const NO_POSITION = 'no position: neither coordinates nor a known ZIP';
const IN_NO_OUTLINE = 'provider outside all loaded outlines, in no tract';
const NO_GOOD_POSITION = 'no position: none of the known ones could be used';

/**
 * Gives each provider its best known position, and the tract that holds it. The next best position is taken if one lies in
 * no tract although the state's outlines are complete (in the sea, for example), or in another state than the address and
 * far from the point of its ZIP, if that is known. A provider without any position is left out.
 */
export function placeProviders(intake: ProviderIntake, ground: Ground): PlacedProviders {
  const { store } = intake;
  const order = sortByNpi(store.size, (index) => store.npiAt(index));
  const [lats, lngs] = [new Float64Array(order.length), new Float64Array(order.length)];
  const tracts = new Uint32Array(order.length);
  const qualities = new Uint8Array(order.length);
  let row = 0;
  for (const index of order) {
    const found = place(index, intake, ground);
    if ('none' in found) {
      store.tallyOf(index)?.leave(found.none);
      continue;
    }
    if (found.tract < 0) store.tallyOf(index)?.note(IN_NO_OUTLINE);
    order[row] = index;
    lats[row] = found.lat;
    lngs[row] = found.lng;
    tracts[row] = found.tract < 0 ? IN_NO_TRACT : found.tract;
    qualities[row] = LOCATION_QUALITIES.indexOf(found.locationQuality);
    row++;
  }
  intake.accountForCoordinates();
  const indices = order.subarray(0, row);
  return {
    indices,
    npis: Float64Array.from(indices, (index) => store.npiAt(index)),
    lats: lats.subarray(0, row),
    lngs: lngs.subarray(0, row),
    qualities: qualities.subarray(0, row),
    tracts: tracts.subarray(0, row),
    types: Uint8Array.from(indices, (index) => PROVIDER_KINDS.indexOf(store.kindAt(index))),
  };
}

/** Sorts indices by NPI. Rows of one NPI, at several places, keep their order; those without an NPI come last. */
function sortByNpi(count: number, npiAt: (index: number) => number): Uint32Array {
  const keys = Float64Array.from({ length: count }, (_, index) => {
    const npi = npiAt(index);
    return Number.isNaN(npi) ? Number.POSITIVE_INFINITY : npi;
  });
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  return order.sort((a, b) => {
    const [keyA = 0, keyB = 0] = [keys[a], keys[b]];
    return keyA === keyB ? a - b : keyA - keyB;
  });
}

type Placed = Position & { readonly tract: number };

/** The provider's most trusted position that is plausible, or why it has none. */
function place(index: number, intake: ProviderIntake, ground: Ground): Placed | { readonly none: string } {
  const { store } = intake;
  const practice = store.practiceOf(index);
  const covered = practice.practiceState !== null && ground.isCovered(practice.practiceState);
  const zipPoint =
    practice.practiceZip === null ? undefined : intake.zipPoints.find(practice.practiceZip, ground.internalPointOf);
  let none = NO_POSITION;
  const attempt = (point: LatLng | undefined, locationQuality: LocationQuality): Placed | undefined => {
    if (!point) return undefined;
    none = NO_GOOD_POSITION;
    const tract = ground.locate(point);
    const state = stateOf(ground.tracts[tract]);
    if (state === undefined && covered) {
      store.tallyOf(index)?.note(`${locationQuality}: point in no tract, not used`);
      return undefined;
    }
    if (state !== undefined && practice.practiceState !== null && state !== practice.practiceState) {
      const isFar = zipPoint !== undefined && distanceMiles(point, zipPoint) > FAR_MILES;
      const reason = isFar ? 'point far away in another state than the address, not used' : BESIDE;
      store.tallyOf(index)?.note(`${locationQuality}: ${reason}`);
      if (isFar) return undefined;
    }
    return { lat: point.lat, lng: point.lng, locationQuality, tract };
  };
  const given = store.positionOf(index);
  const placed =
    attemptCoordinates(index, intake, ground, attempt) ??
    (given && attempt(given, given.locationQuality)) ??
    attempt(ground.locateAddress?.(practice), 'address_range') ??
    attempt(zipPoint, 'zip');
  return placed ?? { none };
}

/** The two-letter code of a tract's state; undefined for no tract. */
function stateOf(tract: { readonly geoid: Geoid } | undefined): string | undefined {
  return tract && stateByFips(stateFipsOf(tract.geoid))?.abbreviation;
}

/** Coordinates by NPI apply to its first location only. Whether the tract that their file gives agrees is noted. */
function attemptCoordinates(
  index: number,
  { store, coordinates }: ProviderIntake,
  { tracts, currentGeoid }: Ground,
  attempt: (point: LatLng, quality: LocationQuality) => Placed | undefined,
): Placed | undefined {
  const npi = store.npiAt(index);
  if (Number.isNaN(npi) || store.isFurther(index)) return undefined;
  const row = coordinates.find(npi);
  const placed = row && attempt(row, 'coordinate_file');
  const tract = tracts[placed?.tract ?? -1];
  if (row && tract && !Number.isNaN(row.tractFips)) {
    const agrees = currentGeoid(geoidFromNumber(row.tractFips)) === tract.geoid;
    row.tally.note(agrees ? 'tract_fips agrees with the outlines' : 'tract_fips contradicts the outlines, not used');
  }
  return placed;
}
