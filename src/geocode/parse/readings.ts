import type { HouseNumber } from '../../core/house-number.js';

/** Where a street is looked for. */
export interface Whereabouts {
  readonly zip: number | undefined;
  /** Two digits. */
  readonly stateFips: string | undefined;
  /** What is set off by a comma; empty where nothing is. */
  readonly city: readonly string[];
}

/** What an address may mean: a number and a street, with or without the city behind it. */
export interface AddressReading extends Whereabouts {
  readonly number: HouseNumber;
  /** The number as a word, where it is written so: then it may be the street's. */
  readonly numberWord: string | undefined;
  /** The street's words and, where `city` is empty, perhaps the city's. Not empty. */
  readonly words: readonly string[];
}

/** Two streets that meet. */
export interface CrossingReading extends Whereabouts {
  readonly streets: readonly [readonly string[], readonly string[]];
}

interface Otherwise {
  /** Reads what words before the street are left out of, for where no reading of the whole is anywhere. */
  readonly otherwise: () => readonly AddressReading[];
}

/** What an address was read as; readings are in order of likelihood. */
export type ParsedAddress =
  | ({
      readonly kind: 'address';
      readonly readings: readonly AddressReading[];
      /** Of further house numbers, where what is before them may be a building's name. */
      readonly elsewhere: readonly AddressReading[];
    } & Otherwise)
  | ({ readonly kind: 'crossing'; readonly readings: readonly CrossingReading[] } & Otherwise)
  /** A post office box or the like: it names no place on the ground. */
  | { readonly kind: 'unplaceable' }
  | ({ readonly kind: 'nothing' } & Otherwise);
