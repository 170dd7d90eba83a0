import { quantize, UNITS_PER_DEGREE } from '../core/coordinates.js';
import type { AddressRange, StreetSegment } from '../core/street-segment.js';
import { cityKey, streetKey } from '../core/street-words.js';
import { mapFile } from './byte-source.js';
import type { SectionEntry } from './container-header.js';
import { type ContainerReader, openContainer } from './container-reader.js';
import { numbers, type SectionContent, writeContainer } from './container-writer.js';
import { openTextTable, packedSections, packTexts } from './text-table.js';

export const ADDRESSES_FILE = 'addresses.tctx';
export const ADDRESSES_KIND = 'addresses';

/** A side without addresses has this for its numbers; an unknown ZIP is this, too. */
const NONE = -1;

/**
 * Writes addresses.tctx: streets by their key, and each street's segments. Segments keep their order within a street, so
 * equal input gives equal bytes.
 */
export function writeAddressesFile(path: string, segments: readonly StreetSegment[]): SectionEntry[] {
  const streets = groupByStreet(segments);
  const ordered = streets.flatMap(({ segments: own }) => own);
  const cities = [...new Set(ordered.map(({ city }) => city))].sort();
  const cityAt = new Map(cities.map((city, position) => [city, position]));
  return writeContainer(path, ADDRESSES_KIND, [
    ...texts(
      'street/key',
      streets.map(({ key }) => key),
    ),
    ...texts(
      'street/name',
      streets.map(({ name }) => name),
    ),
    numbers('street/first-segment', firstSegments(streets)),
    ...texts('city', cities),
    numbers(
      'segment/city',
      Uint32Array.from(ordered, ({ city }) => cityAt.get(city) ?? 0),
    ),
    numbers(
      'segment/state',
      Uint8Array.from(ordered, ({ stateFips }) => Number(stateFips)),
    ),
    numbers(
      'segment/number',
      matrix(ordered, 4, ({ left, right }) => [...ends(left), ...ends(right)]),
    ),
    numbers(
      'segment/zip',
      matrix(ordered, 2, ({ left, right }) => [zipOf(left), zipOf(right)]),
    ),
    numbers(
      'segment/end-point',
      matrix(ordered, 4, ({ from, to }) => [from.lng, from.lat, to.lng, to.lat].map(quantize)),
    ),
  ]);
}

interface Street {
  readonly key: string;
  readonly name: string;
  readonly segments: StreetSegment[];
}

/** By key, then by name: two names may have one key. Keys are plain ASCII, so this is the order of their bytes. */
function groupByStreet(segments: readonly StreetSegment[]): Street[] {
  const streets = new Map<string, Street>();
  for (const segment of segments) {
    const known = streets.get(segment.street);
    if (known) known.segments.push(segment);
    else streets.set(segment.street, { key: streetKey(segment.street), name: segment.street, segments: [segment] });
  }
  return [...streets.values()].sort((a, b) => compare(a.key, b.key) || compare(a.name, b.name));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function firstSegments(streets: readonly Street[]): Uint32Array {
  const firsts = new Uint32Array(streets.length + 1);
  streets.forEach(({ segments }, street) => {
    firsts[street + 1] = (firsts[street] ?? 0) + segments.length;
  });
  return firsts;
}

const texts = (name: string, values: readonly string[]): SectionContent[] =>
  packedSections(
    name,
    packTexts(values.length, (row) => values[row] ?? ''),
  );

function matrix(segments: readonly StreetSegment[], width: number, rowOf: (segment: StreetSegment) => number[]) {
  const values = new Int32Array(segments.length * width);
  segments.forEach((segment, row) => {
    values.set(rowOf(segment), row * width);
  });
  return values;
}

const ends = (range: AddressRange | undefined): [number, number] => (range ? [range.from, range.to] : [NONE, NONE]);
const zipOf = (range: AddressRange | undefined): number => (range && range.zip !== '' ? Number(range.zip) : NONE);

/** Where a street is looked for; what is left out does not decide. */
export interface Place {
  /** Five digits. */
  readonly zip?: string | undefined;
  /** Two digits. */
  readonly stateFips?: string | undefined;
  /** In any spelling that has the same {@link cityKey}. */
  readonly city?: string | undefined;
}

/** addresses.tctx, opened in place. */
export interface AddressesFile {
  readonly container: ContainerReader;
  readonly segmentCount: number;
  /**
   * The segments of all streets with this key (see `streetKey`) that lie in the place, in the file's order.
   * O(log streets + segments of the street).
   */
  find(key: string, place: Place): StreetSegment[];
  segment(row: number): StreetSegment;
}

/** Maps addresses.tctx and checks its header and section table. Throws FormatError. */
export function openAddressesFile(path: string): AddressesFile {
  return readAddressesFile(openContainer(mapFile(path), ADDRESSES_KIND));
}

/** The file's parts out of an opened container. */
export function readAddressesFile(container: ContainerReader): AddressesFile {
  const states = container.uint8('segment/state');
  const count = states.length;
  const segmentCities = container.uint32('segment/city', count);
  const houseNumbers = container.int32('segment/number', count * 4);
  const zips = container.int32('segment/zip', count * 2);
  const endPoints = container.int32('segment/end-point', count * 4);
  const firsts = container.uint32('street/first-segment');
  const streetCount = firsts.length - 1;
  const keys = openTextTable(container, 'street/key', streetCount);
  const names = openTextTable(container, 'street/name', streetCount);
  const cities = openTextTable(container, 'city', container.uint32('city/offset').length - 1);

  const range = (row: number, side: 0 | 1): AddressRange | undefined => {
    const [from = NONE, to = NONE] = houseNumbers.subarray(row * 4 + side * 2, row * 4 + side * 2 + 2);
    const zip = zips[row * 2 + side] ?? NONE;
    return from === NONE ? undefined : { from, to, zip: zip === NONE ? '' : String(zip).padStart(5, '0') };
  };
  const build = (row: number, street: string): StreetSegment => {
    const [fromX = 0, fromY = 0, toX = 0, toY = 0] = endPoints.subarray(row * 4, row * 4 + 4);
    return {
      street,
      city: cities.text(segmentCities[row] ?? 0),
      stateFips: String(states[row] ?? 0).padStart(2, '0'),
      from: { lat: fromY / UNITS_PER_DEGREE, lng: fromX / UNITS_PER_DEGREE },
      to: { lat: toY / UNITS_PER_DEGREE, lng: toX / UNITS_PER_DEGREE },
      left: range(row, 0),
      right: range(row, 1),
    };
  };
  const liesIn = (row: number, { zip, stateFips, city }: Place): boolean =>
    (zip === undefined || zips[row * 2] === Number(zip) || zips[row * 2 + 1] === Number(zip)) &&
    (stateFips === undefined || states[row] === Number(stateFips)) &&
    (city === undefined || cityKey(cities.text(segmentCities[row] ?? 0)) === cityKey(city));

  return {
    container,
    segmentCount: count,
    segment: (row) => build(row, names.text(lastAtMost(firsts, row))),
    find: (key, place) => {
      const wanted = Buffer.from(key);
      const found: StreetSegment[] = [];
      let street = firstAtLeast(streetCount, (position) => Buffer.compare(keys.bytes(position), wanted) >= 0);
      for (; street < streetCount && Buffer.compare(keys.bytes(street), wanted) === 0; street++) {
        for (let row = firsts[street] ?? 0; row < (firsts[street + 1] ?? 0); row++) {
          if (liesIn(row, place)) found.push(build(row, names.text(street)));
        }
      }
      return found;
    },
  };
}

/** The first position that is good, where all that follow a good one are good; `count` where none is. */
function firstAtLeast(count: number, isGood: (position: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isGood(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The position of the last value that is not above the limit. */
function lastAtMost(ascending: Uint32Array, limit: number): number {
  return firstAtLeast(ascending.length, (position) => (ascending[position] ?? 0) > limit) - 1;
}
