import type { HouseNumber } from '../../core/streets/house-number.js';

/** Where to look for a street. */
export interface Whereabouts {
  readonly zip: number | undefined;
  /** Two digits. */
  readonly stateFips: string | undefined;
  /** The city that a comma sets off; empty if none does. */
  readonly city: readonly string[];
}

/** One way to read an address: a number and a street, with or without the city after it. */
export interface AddressReading extends Whereabouts {
  readonly number: HouseNumber;
  /** The number's word, if it is written in letters: then it may belong to the street. */
  readonly numberWord: string | undefined;
  /** The street's words and, where `city` is empty, perhaps the city's. Not empty. */
  readonly words: readonly string[];
  /** What may be other places, named between the street and the city; usually none. */
  readonly between: readonly Whereabouts[];
  /** Set if it is so unlikely that the words are one street's name that no other spelling of it is worth trying. */
  readonly onlyAsWritten?: true;
  /** Set if the street's direction was before the number, whose letter it may be instead: `S 150 Main St`. */
  readonly isDirectionFirst?: true;
  /** Set if city and state precede the street, where they may be a person's name and degree: unless the city is known. */
  readonly isPlaceFirst?: true;
}

/** Two streets that meet. */
export interface CrossingReading extends Whereabouts {
  readonly streets: readonly [readonly string[], readonly string[]];
}

/** What an address was read as; readings are in order of likelihood. */
export type ParsedAddress = {
  /** Readings with the words before the street left out, for when no reading of the whole address matches. */
  readonly otherwise: () => readonly AddressReading[];
} & (
  | {
      readonly kind: 'address';
      readonly readings: readonly AddressReading[];
      /**
       * Readings with other house numbers: the same digits read otherwise, or those of other parts, in case the first
       * number belongs to a building's name.
       */
      readonly elsewhere: readonly AddressReading[];
    }
  | { readonly kind: 'crossing'; readonly readings: readonly CrossingReading[] }
  /** A post office box or the like: it names no place on the ground. */
  | { readonly kind: 'unplaceable' }
  /** No address, or several different ones, of which none is likelier meant. */
  | { readonly kind: 'nothing'; readonly isSeveral?: true }
);
