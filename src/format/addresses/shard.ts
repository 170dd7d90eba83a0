import type { ContainerReader } from '../container-reader.js';
import type { LineEnds } from './line-codec.js';

/** The kind of the address range files, one per state. */
export const ADDRESSES_KIND = 'addresses';
const FILE_NAME = /^addresses-(\d{2})\.tctx$/;

/** The name of a state's file; `stateFips` has two digits. */
export const addressesFileName = (stateFips: string): string => `addresses-${stateFips}.tctx`;

/** The state FIPS code in the name of an address range file; undefined for other names. */
export const stateOfFileName = (name: string): string | undefined => FILE_NAME.exec(name)?.[1];

/** Marks a side of a street that lies in no loaded tract outline. */
export const NO_TRACT = 0xffff_ffff;
/** Marks ranges without a ZIP in `runZips`. */
export const UNKNOWN_ZIP = 0;

/** A state's address ranges, opened in place, sorted by name, ZIP, street, prefix and number. */
export interface AddressShard {
  readonly container: ContainerReader;
  readonly stateFips: string;
  readonly rangeCount: number;
  readonly streetCount: number;
  /** The row of a name (see `parseStreetName`), or −1. O(1). */
  findName(key: string): number;
  /** Rows of names that differ from the key by one typo: a character too many, too few, wrong, or two swapped. */
  namesSpelledLike(key: string): number[];
  nameKey(name: number): string;
  /** Name `n` has the runs from `[n]` up to, not including, `[n + 1]`, sorted by ZIP, then by street. */
  readonly nameRuns: Uint32Array;
  /** The ZIP of each run, 0 if unknown. A run is all ranges of one street in one ZIP with one prefix. */
  readonly runZips: Uint32Array;
  readonly runStreets: Uint32Array;
  readonly runPrefixes: Uint16Array;
  /** Run `u` has the ranges from `[u]` up to, not including, `[u + 1]`. */
  readonly runRanges: Uint32Array;
  readonly prefixes: readonly string[];
  /** First and last number of each range. */
  readonly rangeNumbers: Int32Array;
  readonly rangeTracts: Uint32Array;
  /** By range: its edge's number, its side, and whether odd and even numbers are mixed, as `packEdge` packs them. */
  readonly rangeEdges: Uint32Array;
  streetName(street: number): string;
  /** By street: the codes of the directions before and after its name, as `packDirections` packs them. */
  readonly streetDirections: Uint8Array;
  /** The standard abbreviation of the street's type; empty if the name has none. */
  streetType(street: number): string;
  /** An edge's line: x,y interleaved, 1e-6 degrees. */
  line(edge: number): Int32Array;
  /** The first and last vertex of an edge's line. */
  lineEnds(edge: number): LineEnds;
  readonly zips: ZipTable;
}

/** The ZIPs of a state's ranges, and the cities known to use them. ZIPs and cities are given by their positions. */
export interface ZipTable {
  /** Ascending. */
  readonly codes: Uint32Array;
  /** By ZIP: x and y of the mean position of its ranges, 1e-6 degrees. */
  readonly centers: Int32Array;
  /** The position of a ZIP code, or −1. */
  find(code: number): number;
  readonly cityCount: number;
  /** The position of a city by its key (see `cityKey`), or −1. */
  findCity(key: string): number;
  /** Like `findCity`, among the cities of one ZIP only. */
  findCityOf(zip: number, key: string): number;
  /** The ZIP's main city; −1 if no city is known to use it. */
  mainCityOf(zip: number): number;
  /** A city's ZIPs, ascending. */
  zipsOf(city: number): Uint32Array;
  cityKey(city: number): string;
  cityName(city: number): string;
}
