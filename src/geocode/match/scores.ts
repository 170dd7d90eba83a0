import { isDirectionInFull } from '../../core/streets/street-directions.js';
import type { StreetName } from '../../core/streets/street-name.js';
import { isPlainType } from '../../core/streets/street-types.js';
import { directionAfterIn, directionBeforeIn } from '../../format/addresses/packed-columns.js';

/**
 * The score of a perfect match. A score is from 0 to 100: each difference between an address and a range is subtracted.
 * Two places whose scores are within {@link TIE_MARGIN} are equally good.
 */
export const PERFECT = 100;

/**
 * Below this score an address has no match: a wrong tract is worse than none. One typo with a missing street type and a
 * missing direction passes, or one with a neighbouring ZIP; three such faults do not. Nor is a street without a range for
 * the number, or a ZIP alone, ever an answer: it says too little about the tract.
 */
export const MATCH_THRESHOLD = 65;

/** From this score on, no other spellings are tried. */
export const GOOD = 94;

export const TIE_MARGIN = 2;

/** What each kind of difference subtracts from the score. */
export const COST = {
  typeMissing: 5,
  typeAdded: 8,
  typeWrong: 12,
  /** The type asked for may be a word of the name: `Cherry Hill` is not Cherry Lane. */
  typeOfName: 40,
  directionMissing: 5,
  /** About as much as a wrong street type: `S Church Ln` may be Church Lane or S Church Street. */
  directionAdded: 11,
  directionWrong: 25,
  /** The same for a street of a grid: `E 400 S` is neither W 400 S nor S 400 E, which are far from it. */
  directionsOther: 40,
  /** In addition, if both type and direction are wrong: `SW 1st Ave` does not mean 1st Street. */
  bothOther: 15,
  /**
   * In addition, if both type and spelling are wrong in a name that is not long: `Barry Ave` does not mean Berry Street.
   */
  slipAndType: 15,
  /** In addition, if the street as asked for exists nearby: a number just beyond its end may be a new house there. */
  thereAsAsked: 2,
  /** `Alameda` for `The Alameda`: about as much as a missing street type. */
  articleOther: 4,
  /** `SW 1st Ave` for `1st Ave SW`. */
  directionsSwapped: 3,
  /**
   * `S 150 Main St` for 150 S Main Street, besides `wordsLeftOut`: too much for any other street than that, since in `N 1234
   * County Rd G` the `N` is the number's.
   */
  directionFirst: 13,
  /** `E North` for `N East St`: no one turns around what may be the name itself. */
  directionIsName: 40,
  /** One typo. About as much as a neighbouring ZIP, since it is unknown whether street or ZIP is mistaken. */
  slip: 13,
  /** The same in a name of up to four characters, of which many are alike. */
  slipInShortName: 16,
  /** `NMain St` for `N Main St`: likelier than a typo, but many names begin with such a letter. */
  spaceMissing: 10,
  /** One typo in the street type: likelier than another type, with the misspelled one as a word that is no part of it. */
  typeMisspelled: 8,
  /** The street type is unreadable, and left out. */
  typeUnreadable: 13,
  /** `Highway 5` for `State Hwy 5`. */
  highwayKind: 6,
  /** `State 12A` for `State Hwy 12A`: as much as apartment 12A on a State Street whose type is missing. */
  highwayWordMissing: 7,
  /** The county's name is left out before its road: only in the ZIP or the city, as the next county numbers its own. */
  countyLeftOut: 26,
  zipUnknownHere: 6,
  zipNeighbouring: 15,
  /** The same if the city is known to use that ZIP: about as much as a wrong street type. */
  zipNeighbouringOfCity: 12,
  /**
   * In addition, if the city named is not known to use the range's ZIP, but uses the written one, or the written one has
   * no ranges: both speak against the range.
   */
  zipAndCityOther: 30,
  /** Far from the written ZIP, but in one of the named city's: about as good as a neighbouring ZIP in another city. */
  zipOfCity: 17,
  /** The address has no ZIP, but its city is known to use the range's. */
  cityOnly: 3,
  /** In all, of a city named before the address's own: about as good as that, which costs nothing or `cityOnly`. */
  cityBetween: 2,
  stateOnly: 10,
  /** The ZIP is in another state than the one named; little else may be wrong then. */
  stateOther: 33,
  /** The ZIP's cities are known, and the one named is not among them; the ZIP decides. */
  cityOther: 3,
  cityUnknown: 25,
  /** The same if the cities of the range's ZIP are known: many places have such a street. */
  cityUnknownElsewhere: 40,
  /** The address has no ZIP, and its city uses other ZIPs. */
  cityElsewhere: 60,
  /** The words after the street are assumed to be a city that is not known. */
  restUnverified: 4,
  /**
   * The same if they begin with a direction: as likely as Main Street West or W Main Street in Sampleton, for which `Main St
   * West Sampleton` costs `restUnverified`, with or without `directionsSwapped`.
   */
  restOfDirection: 6,
  /** The same if the street may be incomplete: `Main Sampleton`. */
  restUnverifiedIncomplete: 8,
  /** The words after the street are not the city, which is named separately: enough to look for a better street. */
  restLeftOver: 7,
  restDoubtful: 24,
  /** The same if a comma sets the city off, so that these words are no city. */
  restNoCity: 40,
  numberOutside: 15,
  /** `3718` for `37-18`, or `37-18` for number 37, apartment 18. */
  numberForm: 6,
  readingUnlikely: 2,
  /** A name before the number, or a second number, is left out; about as much as a typo. */
  wordsLeftOut: 12,
  /** A crossing in another ZIP. */
  zipOther: 60,
} as const;

const SHORT_NAME = 4;
const LONG_NAME = 8;

/** The cost of one typo in a name. */
export const slipCost = (key: string): number => (key.length <= SHORT_NAME ? COST.slipInShortName : COST.slip);

/** The additional cost if a name with a typo is also of another street type. */
export function slipAndTypeCost({ key, type }: StreetName, there: string): number {
  return key.length < LONG_NAME && typeCost(type, there) >= COST.typeWrong ? COST.slipAndType : 0;
}

/** The cost of the differences in type and direction between the street asked for and an existing one. */
export function nameCost(asked: StreetName, type: string, directions: number): number {
  const ofType = typeCost(asked.type, type);
  const ofDirections = directionCost(asked, directionBeforeIn(directions), directionAfterIn(directions));
  const areBothOther = ofType >= COST.typeWrong && ofDirections >= COST.directionAdded;
  return ofType + ofDirections + (areBothOther ? COST.bothOther : 0);
}

function typeCost(asked: string, there: string): number {
  if (asked === there) return 0;
  if (asked === '') return COST.typeMissing;
  if (!isPlainType(asked)) return COST.typeOfName;
  return there === '' ? COST.typeAdded : COST.typeWrong;
}

function directionCost({ before, after, type, key }: StreetName, thereBefore: number, thereAfter: number): number {
  if (before === thereBefore && after === thereAfter) return 0;
  const isOfGrid = (thereBefore > 0 && thereAfter > 0) || (type === '' && OF_GRID.test(key));
  if (isOfGrid && (areOther(before, thereBefore) || areOther(after, thereAfter))) return COST.directionsOther;
  if (before === thereAfter && after === thereBefore) {
    // `E North` is East Street N or E North Street, but not N East Street.
    const isOnlyDirections = type === '' && isDirectionInFull(key);
    return isOnlyDirections ? COST.directionIsName : COST.directionsSwapped;
  }
  // `Main St E` is not W Main Street.
  const areSingle = (before === 0) !== (after === 0) && (thereBefore === 0) !== (thereAfter === 0);
  if (areSingle) return COST.directionWrong;
  return oneDirectionCost(before, thereBefore) + oneDirectionCost(after, thereAfter);
}

/** `400` without a type, `County Road 500`: a street that is named after its distance from an axis. */
const OF_GRID = /^(?:COUNTYROAD|ROAD)?\d+$/;

const areOther = (asked: number, there: number): boolean => asked > 0 && there > 0 && asked !== there;

function oneDirectionCost(asked: number, there: number): number {
  if (asked === there) return 0;
  if (asked === 0) return COST.directionMissing;
  return there === 0 ? COST.directionAdded : COST.directionWrong;
}
