import { similarHighways } from '../../core/streets/other-highways.js';
import { otherReadings, withOtherArticle } from '../../core/streets/other-readings.js';
import { parseStreetName, type StreetName } from '../../core/streets/street-name.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { CrossingReading } from '../parse/readings.js';
import { hasDigit } from '../parse/words.js';
import {
  type CornerFinder,
  type Crossing,
  createCornerFinder,
  MAX_RANGES,
  type Meeting,
  meet,
  type Named,
  type SearchArea,
} from './corners.js';
import type { Locate } from './position.js';
import { COST, slipCost, TIE_MARGIN } from './scores.js';
import type { ShardChoice } from './shards-for.js';
import { type Split, splitsOf } from './splits.js';

/** How many ways to divide second street and city are tried. */
const MAX_SPLITS = 3;

/** How many other spellings of a street are tried. */
const MAX_SPELLINGS = 16;

/** Street type and direction may both be missing. */
const MOST_DIFFERENCES = COST.typeMissing + COST.directionMissing;

/** One of the two streets, as asked for. */
type Asked = Pick<Split, 'street' | 'words'>;

/**
 * The place where two streets meet: a vertex at which stretches of both end. A corner may be in up to four tracts: it is
 * a match if all sides that meet there are in one tract, else a tie. If nothing meets as written (apart from an article or
 * a highway's kind), one of the two may be one typo away. Undefined if the streets do not meet.
 */
export function matchCrossing(
  { streets: [one, words], city }: CrossingReading,
  choice: ShardChoice,
  locate: Locate,
): Crossing | 'tie' | undefined {
  const street = parseStreetName(one);
  if (!street) return undefined;
  const first = { street, words: one };
  const { shard, zip } = choice;
  const splits = [...splitsOf({ words, city, zip }, shard)];
  const written = splits.filter((second) => asWritten(second, shard).length > 0);
  const others = splits.filter((second) => !written.includes(second) && otherwise(second, shard).length > 0);
  const budget = { left: MAX_RANGES };
  for (const second of [...written, ...others].slice(0, MAX_SPLITS)) {
    const area = { ...choice, second };
    const pairs = pairsOf(spelled(first, shard), spelled(second, shard));
    const found = bestOf(meetings(area, createCornerFinder(area, budget), pairs, locate), TIE_MARGIN);
    if (found !== undefined) return found;
  }
  for (const second of splits.slice(0, MAX_SPLITS)) {
    // Somewhere in a state there is a street of almost any spelling.
    if (zip === undefined && !second.city.isWritten) continue;
    const area = { ...choice, second };
    const finder = createCornerFinder(area, budget);
    const found = bestOf(meetings(area, finder, respelledPairs(first, area, finder), locate), Infinity);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Pairs of one street as written and the other one typo away. A street that exists here as written is not respelled. */
function respelledPairs(first: Asked, { shard, second }: SearchArea, finder: CornerFinder): Pair[] {
  const [one, two] = [spelled(first, shard), spelled(second, shard)];
  const isHere = (names: readonly Named[]): boolean => names.some((name) => finder.of(name)?.size !== 0);
  return [
    ...(isHere(one) ? [] : pairsOf(spelledLike(first.street, shard), two)),
    ...(isHere(two) ? [] : pairsOf(one, spelledLike(second.street, shard))),
  ];
}

/** The names as written, and otherwise. */
const spelled = (asked: Asked, shard: AddressShard): Named[] => [
  ...asWritten(asked, shard),
  ...otherwise(asked, shard),
];

/** The names with an article added or removed, or of another kind of highway: `Alameda` for `The Alameda`. */
const otherwise = (asked: Asked, shard: AddressShard): Named[] => [
  ...withArticle(asked, shard),
  ...ofOtherKinds(asked, shard),
];

/**
 * The name as written or, if there is none, read as a name that lacks its type and ends with a word for one: `Muddy
 * Creek` for Muddy Creek Road.
 */
function asWritten({ street, words }: Asked, shard: AddressShard): Named[] {
  const usual = named(street, shard, 0);
  return usual.length > 0 ? usual : otherReadings(words, street).flatMap((other) => named(other, shard, 0));
}

/** The article uses up some of the differences that are allowed: `Alameda Ct` does not match `The Alameda`. */
function withArticle({ words }: Asked, shard: AddressShard): Named[] {
  const street = withOtherArticle(words);
  return street ? named(street, shard, COST.articleOther, MOST_DIFFERENCES - COST.articleOther) : [];
}

/** `Highway 5` for `State Hwy 5`. */
function ofOtherKinds({ street }: Asked, shard: AddressShard): Named[] {
  return similarHighways(street.key).flatMap((key) => named({ ...street, key }, shard, COST.highwayKind));
}

/** The street with its name in the shard; none if the shard has no such name. */
function named(street: StreetName, shard: AddressShard, cost: number, mostDifferences = MOST_DIFFERENCES): Named[] {
  const name = shard.findName(street.key);
  return name < 0 ? [] : [{ street, name, cost, mostDifferences }];
}

/**
 * Names one typo away. None for short keys and keys with digits, many of which are alike: at a crossing there is no house
 * number to tell them apart.
 */
function spelledLike(street: StreetName, shard: AddressShard): Named[] {
  const { key } = street;
  if (slipCost(key) > COST.slip || hasDigit(key)) return [];
  const names = shard.namesSpelledLike(key).slice(0, MAX_SPELLINGS);
  return names.map((name) => ({ street, name, cost: COST.slip, mostDifferences: MOST_DIFFERENCES }));
}

type Pair = readonly [Named, Named];

const pairsOf = (ones: readonly Named[], others: readonly Named[]): Pair[] =>
  ones.flatMap((one) => others.map((other) => [one, other] as const));

const meetings = (area: SearchArea, finder: CornerFinder, pairs: readonly Pair[], locate: Locate): Meeting[] =>
  pairs.flatMap(([one, two]) => meet(area, finder, one, two, locate) ?? []);

/** The best of all; a tie if another one is worse by no more than the margin. */
function bestOf(found: readonly Meeting[], margin: number): Crossing | 'tie' | undefined {
  const least = Math.max(...found.map(({ score }) => score)) - margin;
  const [first, ...others] = found.filter(({ score }) => score >= least);
  return others.length > 0 ? 'tie' : first?.at;
}
