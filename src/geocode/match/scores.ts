import type { StreetName } from '../../core/street-name.js';
import { isPlainType } from '../../core/street-types.js';

/**
 * How good a match is, 0 to 100: what an address and a range have different is taken off. Two places whose scores are
 * within {@link TIE_MARGIN} are equally good.
 */
export const PERFECT = 100;

/**
 * Below this, an address has no match: a wrong tract is worse than none. One slip of the pen with a missing kind of
 * street and a missing direction passes, or one with a neighbouring ZIP; three such faults do not. Nor is a
 * street without a number in its ranges, or a ZIP alone, ever an answer: it says too little of the tract.
 */
export const MATCH_THRESHOLD = 65;

/** From here on, nobody looks for spellings that might be meant instead. */
export const GOOD = 94;

export const TIE_MARGIN = 2;

/** What is taken off, and for what. */
export const COST = {
  typeMissing: 5,
  typeAdded: 8,
  typeWrong: 12,
  /** The kind asked for may be a word of the name: `Cherry Hill` is not Cherry Lane. */
  typeOfName: 40,
  directionMissing: 5,
  /** About as much as a wrong kind of street: `S Church Ln` may be Church Lane or S Church Street. */
  directionAdded: 11,
  directionWrong: 25,
  /** Besides, where kind and direction both are others: 1st Street is not what `SW 1st Ave` means. */
  bothOther: 15,
  /**
   * Besides, where kind and spelling both are others, in a name that is not long: Berry Street is not what `Barry Ave`
   * means.
   */
  slipAndType: 15,
  /** Besides, where the ZIP has the street as it is asked for: a number just behind its end may be a new house's there. */
  thereAsAsked: 2,
  /** `Alameda` for `The Alameda`: about as much as a kind of street that is missing. */
  articleOther: 4,
  /** `SW 1st Ave` for `1st Ave SW`. */
  directionsSwapped: 3,
  /** About as much as a neighbouring ZIP: who knows whether street or ZIP is mistaken? */
  slip: 13,
  /** In a name of up to four characters, of which many are alike. */
  slipInShortName: 16,
  /** `NMain St` for `N Main St`: likelier than a slip, but many a name begins with such a letter. */
  spaceMissing: 10,
  /** The kind of street cannot be made out, and is left out. */
  typeUnreadable: 13,
  /** `Highway 5` for `State Hwy 5`. */
  highwayKind: 6,
  zipUnknownHere: 6,
  zipNeighbouring: 15,
  /** The same, where the city is known to use it: about as much as a wrong kind of street. */
  zipNeighbouringOfCity: 12,
  /**
   * Besides, where a city is named, and not known to use the range's ZIP, but the one that is written: both speak
   * against it.
   */
  zipAndCityOther: 30,
  /** Far from the ZIP that is given, but one of the city that is named: about as good as a neighbour's in another city. */
  zipOfCity: 17,
  /** No ZIP is given, but the city is known to use the range's. */
  cityOnly: 3,
  stateOnly: 10,
  /** The ZIP is another state's than the one named; little else may be amiss then. */
  stateOther: 33,
  /** A ZIP's cities are known, and this is none of them; the ZIP decides. */
  cityOther: 3,
  cityUnknown: 25,
  /** The same, where the cities of the range's ZIP are known: there is such a street in many a place. */
  cityUnknownElsewhere: 40,
  /** Without a ZIP, a city of other ZIPs. */
  cityElsewhere: 60,
  /** What is behind the street is taken for a city that nobody knows. */
  restUnverified: 4,
  /** What is behind the street is not the city, which is named besides: enough to look for a better street. */
  restLeftOver: 7,
  restDoubtful: 24,
  /** The same, where a comma sets the city off, so that it is none. */
  restNoCity: 40,
  numberOutside: 15,
  /** `3718` for `37-18`, `37-18` for 37 with apartment 18. */
  numberForm: 6,
  readingUnlikely: 2,
  /** A name before the number, or a second number; about as much as a slip. */
  wordsLeftOut: 12,
  /** A crossing in another ZIP. */
  zipOther: 60,
} as const;

const SHORT_NAME = 4;
const LONG_NAME = 8;

/** What one slip in a name costs. */
export const slipCost = (key: string): number => (key.length <= SHORT_NAME ? COST.slipInShortName : COST.slip);

/** What it costs that a name with a slip is of another kind of street, too. */
export function slipAndTypeCost({ key, type }: StreetName, there: string): number {
  return key.length < LONG_NAME && typeCost(type, there) >= COST.typeWrong ? COST.slipAndType : 0;
}

/** What differs between the kinds and directions of the street asked for and one that is there. */
export function nameCost(asked: StreetName, type: string, directions: number): number {
  const ofType = typeCost(asked.type, type);
  const ofDirections = directionCost(asked, directions >> 4, directions & 15);
  const areBothOther = ofType >= COST.typeWrong && ofDirections >= COST.directionAdded;
  return ofType + ofDirections + (areBothOther ? COST.bothOther : 0);
}

function typeCost(asked: string, there: string): number {
  if (asked === there) return 0;
  if (asked === '') return COST.typeMissing;
  if (!isPlainType(asked)) return COST.typeOfName;
  return there === '' ? COST.typeAdded : COST.typeWrong;
}

function directionCost({ before, after }: StreetName, thereBefore: number, thereAfter: number): number {
  if (before === thereBefore && after === thereAfter) return 0;
  if (before === thereAfter && after === thereBefore) return COST.directionsSwapped;
  // `Main St E` is not W Main Street.
  const areSingle = (before === 0) !== (after === 0) && (thereBefore === 0) !== (thereAfter === 0);
  if (areSingle) return COST.directionWrong;
  return oneDirectionCost(before, thereBefore) + oneDirectionCost(after, thereAfter);
}

function oneDirectionCost(asked: number, there: number): number {
  if (asked === there) return 0;
  if (asked === 0) return COST.directionMissing;
  return there === 0 ? COST.directionAdded : COST.directionWrong;
}
