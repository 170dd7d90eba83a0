import type { NumberRange } from '../../core/house-number.js';
import type { Side } from '../../core/street-line.js';
import type { ContainerReader } from '../container-reader.js';
import type { LineEnds } from './line-codec.js';

/** One file a state. */
export const ADDRESSES_KIND = 'addresses';
const FILE_NAME = /^addresses-(\d{2})\.tctx$/;

/** The name of a state's file; `stateFips` has two digits. */
export const addressesFileName = (stateFips: string): string => `addresses-${stateFips}.tctx`;

/** The state of a file's name; undefined for other names. */
export const stateOfFileName = (name: string): string | undefined => FILE_NAME.exec(name)?.[1];

/** Stands for a side of a street that lies in no loaded outline. */
export const NO_TRACT = 0xffff_ffff;
/** In `runZips`, of ranges without a ZIP. */
export const UNKNOWN_ZIP = 0;

/** One side of a stretch of street, under one of its names. */
export interface AddressRange extends NumberRange {
  /** As published: `N Samplewood Ave`. */
  readonly street: string;
  /** What house numbers have before their last figures: `37-`; mostly empty. */
  readonly prefix: string;
  /** Five digits; empty where unknown. */
  readonly zip: string;
  readonly side: Side;
  /** x,y interleaved in 1e-6 degrees. */
  readonly line: Int32Array;
  /** The row of the tract on this side, or {@link NO_TRACT}. */
  readonly tract: number;
}

/** A state's address ranges, opened in place. Ranges are in order of name, ZIP, street, prefix and number. */
export interface AddressShard {
  readonly container: ContainerReader;
  readonly stateFips: string;
  readonly rangeCount: number;
  readonly streetCount: number;
  /** The row of a name (see `parseStreetName`), or −1. O(1). */
  findName(key: string): number;
  /** Rows of names that are one slip of the pen away: a character too many, too few, wrong, or two swapped. */
  namesSpelledLike(key: string): number[];
  nameKey(name: number): string;
  /** Runs `[n]` up to, not including, `[n + 1]` are those of a name: by ZIP, then by street. */
  readonly nameRuns: Uint32Array;
  /** A run is what a street has in a ZIP with one prefix. ZIP 0 is unknown. */
  readonly runZips: Uint32Array;
  readonly runStreets: Uint32Array;
  readonly runPrefixes: Uint16Array;
  /** Ranges `[u]` up to, not including, `[u + 1]` are those of a run. */
  readonly runRanges: Uint32Array;
  readonly prefixes: readonly string[];
  /** First and last number of each range. */
  readonly rangeNumbers: Int32Array;
  readonly rangeTracts: Uint32Array;
  /** An edge's position × 4, + 2 on its right side, + 1 where odd and even numbers are mixed. */
  readonly rangeEdges: Uint32Array;
  streetName(street: number): string;
  /** Direction codes before and after the name: before × 16 + after. */
  readonly streetDirections: Uint8Array;
  /** The standard abbreviation of the street's kind; empty where the name has none. */
  streetType(street: number): string;
  /** x,y interleaved, 1e-6 degrees. */
  line(edge: number): Int32Array;
  /** Where it begins and ends. */
  lineEnds(edge: number): LineEnds;
  range(row: number): AddressRange;
  readonly zips: ZipTable;
}

/** The ZIPs of a state's ranges, and the cities that are known to use them. */
export interface ZipTable {
  /** Ascending. */
  readonly codes: Uint32Array;
  /** x and y of the middle of the ZIP's ranges, 1e-6 degrees. */
  readonly centres: Int32Array;
  /** The position of a ZIP, or −1. */
  find(code: number): number;
  readonly cityCount: number;
  /** The position of a city by its key (see `cityKey`), or −1. */
  findCity(key: string): number;
  /** The same among the cities of a ZIP, by the ZIP's position. */
  findCityOf(zip: number, key: string): number;
  /** The city that a ZIP is known by; −1 where none is known to use it. */
  mainCityOf(zip: number): number;
  /** Positions of a ZIP's cities, the one that it is known by first. */
  citiesOf(zip: number): Uint32Array;
  /** Positions of a city's ZIPs, ascending. */
  zipsOf(city: number): Uint32Array;
  cityKey(city: number): string;
  cityName(city: number): string;
}
