import { distanceMiles, type LatLng } from '../../core/coordinates.js';
import type { Geoid } from '../../core/geoid.js';
import { geoidToNumber, stateFipsOf } from '../../core/geoid.js';
import { LOCATION_QUALITIES, type LocationQuality, PROVIDER_KINDS } from '../../core/provider-types.js';
import { stateByFips } from '../../core/states.js';
import { IN_NO_TRACT, type ProviderColumns } from '../../format/providers-file.js';
import type { Position, Practice } from './provider.js';
import type { ProviderIntake } from './provider-intake.js';

/** Puts an address on the map; undefined where it cannot. */
export type LocateAddress = (address: Practice) => LatLng | undefined;

/**
 * Opens what puts addresses on the map by the address ranges that have been written to a directory. The loader knows no
 * more of the geocoder than this: who starts a compile hands it in.
 */
export type OpenAddressLocator = (
  directory: string,
  outlines: { readonly locate: (point: LatLng) => number },
) => { readonly locate: LocateAddress; release(): void };

/** Where providers are put. */
export interface Ground {
  /** By row. */
  readonly tracts: readonly { readonly geoid: Geoid }[];
  /** The row of the tract that holds a point, or −1. */
  readonly locate: (point: LatLng) => number;
  /** Whether all land of a state (two letters) is in the outlines, so that a point in none of them is not there. */
  readonly isCovered: (state: string) => boolean;
  /** Of tracts that ZIPs lie in. */
  readonly internalPointOf: (geoid: Geoid) => LatLng | undefined;
  /** By the loaded address ranges, where there are any. */
  readonly locateAddress: LocateAddress | undefined;
}

/** The providers in the order of their file, with where they are. */
export interface PlacedProviders extends ProviderColumns {
  /** By row, the provider's number in the store. */
  readonly indices: Uint32Array;
}

/**
 * Towns lie on both sides of a state's border, so a point in the neighbouring state is told and taken. One that is this far
 * from the ZIP is another place: no ZIP outside of Alaska reaches so far.
 */
const FAR_MILES = 100;

const BESIDE = 'a point in another state than the address';
const NO_POSITION = 'no position: neither coordinates nor a known ZIP';

/**
 * Gives each provider the best position that is known of it, and by it the tract. One that lies in no tract of a state
 * whose outlines are all there, as in the sea, is not taken, nor one in another state than the address and far from its
 * ZIP, where a file tells of that; the next best is. A provider without any is left out.
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
    if (!found) {
      store.tallyOf(index)?.leave(NO_POSITION);
      continue;
    }
    order[row] = index;
    lats[row] = found.lat;
    lngs[row] = found.lng;
    tracts[row] = found.tract < 0 ? IN_NO_TRACT : found.tract;
    qualities[row] = LOCATION_QUALITIES.indexOf(found.locationQuality);
    row++;
  }
  intake.coordinates.account();
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

/** Rows of one NPI, at several places, stay in their order; those without an NPI come last. */
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

/** The first of the provider's positions that can be, from the most trusted on. */
function place(index: number, intake: ProviderIntake, ground: Ground): Placed | undefined {
  const { store } = intake;
  const practice = store.practiceOf(index);
  const covered = practice.practiceState !== null && ground.isCovered(practice.practiceState);
  const zipPoint =
    practice.practiceZip === null ? undefined : intake.zipPoints.find(practice.practiceZip, ground.internalPointOf);
  const attempt = (point: LatLng | undefined, locationQuality: LocationQuality): Placed | undefined => {
    if (!point) return undefined;
    const tract = ground.locate(point);
    const state = stateOf(ground.tracts[tract]);
    if (state === undefined && covered) {
      store.tallyOf(index)?.note(`${locationQuality}: a point in no tract, not taken`);
      return undefined;
    }
    if (state !== undefined && practice.practiceState !== null && state !== practice.practiceState) {
      const isFar = zipPoint !== undefined && distanceMiles(point, zipPoint) > FAR_MILES;
      const reason = isFar ? 'a point far off in another state than the address, not taken' : BESIDE;
      store.tallyOf(index)?.note(`${locationQuality}: ${reason}`);
      if (isFar) return undefined;
    }
    return { lat: point.lat, lng: point.lng, locationQuality, tract };
  };
  const given = store.positionOf(index);
  return (
    attemptCoordinates(index, intake, ground, attempt) ??
    (given && attempt(given, given.locationQuality)) ??
    attempt(ground.locateAddress?.(practice), 'address_range') ??
    attempt(zipPoint, 'zip')
  );
}

/** The two letters of the state that a tract is in; undefined for no tract. */
function stateOf(tract: { readonly geoid: Geoid } | undefined): string | undefined {
  return tract && stateByFips(stateFipsOf(tract.geoid))?.abbreviation;
}

/** Coordinates by NPI are those of its first location; the tract that their file puts them in is compared and told. */
function attemptCoordinates(
  index: number,
  { store, coordinates }: ProviderIntake,
  { tracts }: Ground,
  attempt: (point: LatLng, quality: LocationQuality) => Placed | undefined,
): Placed | undefined {
  const npi = store.npiAt(index);
  if (Number.isNaN(npi) || store.isFurther(index)) return undefined;
  const row = coordinates.find(npi);
  const placed = row && attempt(row, 'coordinate_file');
  const tract = tracts[placed?.tract ?? -1];
  if (row && tract && !Number.isNaN(row.tractFips)) {
    const agrees = geoidToNumber(tract.geoid) === row.tractFips;
    row.tally.note(agrees ? 'tract_fips as the outlines say' : 'tract_fips other than the outlines say, not used');
  }
  return placed;
}
