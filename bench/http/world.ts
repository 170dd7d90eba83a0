import { distanceMiles, type LatLng, type LatLngBox } from '../../src/core/coordinates.js';
import { geoidFromNumber } from '../../src/core/geoid.js';
import { roundTo } from '../../src/core/rounding.js';
import { stateByFips } from '../../src/core/states.js';
import { NO_TRACT } from '../../src/format/addresses/shard.js';
import type { Dataset } from '../../src/format/dataset.js';
import { createRandom, type Random } from '../../src/load/synthetic/random.js';
import { rangeOf } from '../lib/address-range.js';

/** A tract, and a point in it. */
export interface Place extends LatLng {
  readonly geoid: string;
}

/** An address, and the tract in which it lies. */
export interface KnownAddress {
  readonly text: string;
  readonly geoid: string;
}

/** What requests can ask about, and what is known about the answers. */
export interface World {
  /** In random order, but the same in every run. */
  readonly places: readonly Place[];
  /** Addresses in the service's own address ranges; empty if it has none, or they are unknown here. */
  readonly addresses: readonly KnownAddress[];
  /** Undefined if the dataset is not at hand. */
  readonly scan?: Scan;
}

/** What a scan of all tracts or providers finds, without an index. */
export interface Scan {
  /** The GEOIDs of the tracts around a point, nearest first. */
  readonly tractsAround: (center: LatLng, radiusMiles: number) => readonly string[];
  /** The number of providers around a point. */
  readonly providersAround: (center: LatLng, radiusMiles: number) => number;
  /** The NPIs of the providers in a rectangle, ascending; null for those at the end that have none. */
  readonly providersInBox: (box: LatLngBox) => readonly (string | null)[];
}

/** Enough for all tracts of the nation, which are more than the answers that a cache holds. */
const PLACES = 100_000;
const ADDRESSES = 8192;
/** Small enough that a shifted internal point is nearly always in the same tract; it needs a new lookup all the same. */
const JITTER_DEGREES = 1e-5;

/** The world of a dataset: tracts with a point in each, and addresses. */
export function worldOf(dataset: Dataset, seed: number): World {
  const { tracts, outlines } = dataset;
  const random = createRandom(seed, 'places');
  const places: Place[] = [];
  for (const row of shuffled(tracts.tractCount, random)) {
    if (places.length === PLACES) break;
    const point = { lat: tracts.lats[row] ?? Number.NaN, lng: tracts.lngs[row] ?? Number.NaN };
    if (outlines.locate(point) !== row) continue;
    places.push({ ...point, geoid: geoidFromNumber(tracts.geoids[row] ?? Number.NaN) });
  }
  return {
    places,
    addresses: addressesOf(dataset, createRandom(seed, 'addresses')),
    scan: scanOf(dataset),
  };
}

/** The world of the first dataset, with only those places that the others resolve to the same tract as well. */
export function worldOfAll([first, ...others]: readonly [Dataset, ...Dataset[]], seed: number): World {
  const world = worldOf(first, seed);
  const places = world.places.filter((place) =>
    others.every(({ tracts, outlines }) => tracts.geoids[outlines.locate(place)] === Number(place.geoid)),
  );
  return { ...world, places };
}

/** A point close to another one, so that no two requests are the same. */
export function beside({ lat, lng }: LatLng, random: Random): LatLng {
  const shift = (degrees: number): number => Number((degrees + (random.next() - 0.5) * 2 * JITTER_DEGREES).toFixed(8));
  return { lat: shift(lat), lng: shift(lng) };
}

/** The numbers from 0 to `count` − 1, shuffled reproducibly. */
function shuffled(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(random.next() * (last + 1));
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  return order;
}

function addressesOf({ addresses, tracts }: Dataset, random: Random): KnownAddress[] {
  if (!addresses) return [];
  return Array.from({ length: ADDRESSES }, () => {
    const shard = addresses.shards[Math.floor(random.next() * addresses.shards.length)];
    if (!shard) return undefined;
    const { from, to, street, prefix, zip, tract } = rangeOf(shard, Math.floor(random.next() * shard.rangeCount));
    if (tract === NO_TRACT) return undefined;
    const numbers = Math.abs(to - from) / 2 + 1;
    const houseNumber = Math.min(from, to) + 2 * Math.floor(random.next() * numbers);
    const ofZip = shard.zips.find(Number(zip));
    const city = ofZip < 0 ? -1 : shard.zips.mainCityOf(ofZip);
    const place = city < 0 ? '' : `, ${shard.zips.cityName(city)}`;
    const state = stateByFips(shard.stateFips)?.abbreviation;
    return {
      text: `${prefix}${houseNumber} ${street}${place}, ${state} ${zip}`.trim(),
      geoid: geoidFromNumber(tracts.geoids[tract] ?? Number.NaN),
    };
  }).filter((address) => address !== undefined);
}

function scanOf({ tracts, providers }: Dataset): Scan {
  return {
    tractsAround: (center, radiusMiles) =>
      rowsAround(tracts, center, radiusMiles)
        .sort((a, b) => roundTo(a.miles, 2) - roundTo(b.miles, 2) || a.row - b.row)
        .map(({ row }) => geoidFromNumber(tracts.geoids[row] ?? Number.NaN)),
    providersAround: (center, radiusMiles) => (providers ? rowsAround(providers, center, radiusMiles).length : 0),
    providersInBox: (box) => (providers ? npisInBox(providers, box) : []),
  };
}

interface Points {
  readonly lats: Float64Array;
  readonly lngs: Float64Array;
}

function rowsAround({ lats, lngs }: Points, center: LatLng, radiusMiles: number): { row: number; miles: number }[] {
  const found: { row: number; miles: number }[] = [];
  for (let row = 0; row < lats.length; row++) {
    const miles = distanceMiles(center, { lat: lats[row] ?? Number.NaN, lng: lngs[row] ?? Number.NaN });
    if (miles <= radiusMiles) found.push({ row, miles });
  }
  return found;
}

function npisInBox({ lats, lngs, npis }: Points & { readonly npis: Float64Array }, box: LatLngBox): (string | null)[] {
  const { west, south, east, north } = box;
  const found: (string | null)[] = [];
  npis.forEach((npi, row) => {
    const [lat, lng] = [lats[row] ?? Number.NaN, lngs[row] ?? Number.NaN];
    if (lat >= south && lat <= north && lng >= west && lng <= east) found.push(Number.isNaN(npi) ? null : String(npi));
  });
  return found;
}
