import { obtain } from '../../core/obtain.js';
import { plainWords } from '../../core/streets/fold-text.js';
import { cityKey } from '../../core/streets/street-name.js';
import { intoLists } from '../lists.js';

/** ZIPs and their cities in the layout of the file; see `ZipTable`. */
export interface ZipContent {
  readonly codes: Uint32Array;
  readonly centers: Int32Array;
  readonly firstCities: Uint32Array;
  readonly cities: Uint32Array;
  readonly firstZips: Uint32Array;
  /** Positions of each city's ZIPs, ascending. */
  readonly zipsOfCities: Uint32Array;
  /** Ascending. */
  readonly cityKeys: readonly string[];
  readonly cityNames: readonly string[];
}

/** Collects the places and cities of ZIPs. */
export interface ZipCollector {
  /** Adds a place in a ZIP, 1e-6 degrees. */
  addPlace(zip: number, x: number, y: number): void;
  /** Adds a city of a five-digit ZIP. Names without a letter or digit are ignored. */
  addCity(zip: string, city: string): void;
  content(): ZipContent;
}

interface Zip {
  places: number;
  x: number;
  y: number;
  /** How often each city was named, by key. */
  readonly cities: Map<string, number>;
}

/** An empty collector. Its content leaves out ZIPs without a place, and their cities. */
export function createZipCollector(): ZipCollector {
  const zips = new Map<number, Zip>();
  /** How often each spelling of a city was used, by key. */
  const spellings = new Map<string, Map<string, number>>();
  const zipOf = (code: number): Zip => obtain(zips, code, () => ({ places: 0, x: 0, y: 0, cities: new Map() }));
  return {
    addPlace: (code, x, y) => {
      const zip = zipOf(code);
      zip.places++;
      zip.x += x;
      zip.y += y;
    },
    addCity: (code, city) => {
      const key = cityKey(plainWords(city));
      if (key === '') return;
      count(zipOf(Number(code)).cities, key);
      const known = obtain(spellings, key, () => new Map<string, number>());
      count(known, city);
    },
    content: () => contentOf(zips, spellings),
  };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The counted texts, most common first, ties in alphabetical order. */
const byCount = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1)).map(([text]) => text);

function contentOf(
  zips: ReadonlyMap<number, Zip>,
  spellings: ReadonlyMap<string, ReadonlyMap<string, number>>,
): ZipContent {
  const placed = [...zips].filter(([, { places }]) => places > 0).sort(([a], [b]) => a - b);
  const used = new Set(placed.flatMap(([, { cities }]) => [...cities.keys()]));
  const cityKeys = [...used].sort();
  const rowOf = new Map(cityKeys.map((key, row) => [key, row]));
  const lists = placed.map(([, { cities }]) => byCount(cities).map((key) => rowOf.get(key) ?? 0));
  const forEachUse = (use: (zip: number, city: number) => void): void =>
    lists.forEach((cities, zip) => {
      for (const city of cities) use(zip, city);
    });
  const citiesByZip = intoLists(placed.length, forEachUse);
  const zipsByCity = intoLists(cityKeys.length, (add) => forEachUse((zip, city) => add(city, zip)));
  return {
    codes: Uint32Array.from(placed, ([code]) => code),
    centers: Int32Array.from(
      placed.flatMap(([, { x, y, places }]) => [Math.round(x / places), Math.round(y / places)]),
    ),
    firstCities: citiesByZip.starts,
    cities: citiesByZip.values,
    firstZips: zipsByCity.starts,
    zipsOfCities: zipsByCity.values,
    cityKeys,
    cityNames: cityKeys.map((key) => byCount(spellings.get(key) ?? new Map())[0] ?? ''),
  };
}
