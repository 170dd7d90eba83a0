import { otherReadings, parseStreetName, type StreetName, withOtherArticle } from '../../core/street-name.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { CrossingReading } from '../parse/readings.js';
import {
  type CornerFinder,
  type Crossing,
  createCornerFinder,
  MAX_RANGES,
  type Meeting,
  meet,
  type Named,
  type Place,
} from './corners.js';
import type { Locate } from './place.js';
import { COST, slipCost, TIE_MARGIN } from './scores.js';
import type { ShardChoice } from './shards-for.js';
import { type Split, splitsOf } from './splits.js';

/** Of how many ways to divide second street and city corners are looked for. */
const MAX_SPLITS = 3;

/** Of how many other spellings corners are looked for. */
const MAX_SPELLINGS = 16;

/** Kind of street and direction may be missing. */
const MOST_DIFFERENCES = COST.typeMissing + COST.directionMissing;

/** A street of the crossing. */
type Asked = Pick<Split, 'street' | 'words'>;

/**
 * The place where two streets meet, by a vertex at which stretches of both end. A corner may be in up to four tracts:
 * it is a match where all sides that meet there are in one tract, else a tie. Where nothing meets as it is written, but
 * perhaps for an article, one of the two may be a slip of the pen away. Undefined where the streets do not meet.
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
  const others = splits.filter((second) => !written.includes(second) && withArticle(second, shard).length > 0);
  const budget = { left: MAX_RANGES };
  for (const second of [...written, ...others].slice(0, MAX_SPLITS)) {
    const place = { ...choice, second };
    const pairs = pairsOf(spelled(first, shard), spelled(second, shard));
    const found = bestOf(meetings(place, createCornerFinder(place, budget), pairs, locate), TIE_MARGIN);
    if (found !== undefined) return found;
  }
  for (const second of splits.slice(0, MAX_SPLITS)) {
    // There are streets of any spelling somewhere in a state.
    if (zip === undefined && !second.city.isWritten) continue;
    const place = { ...choice, second };
    const finder = createCornerFinder(place, budget);
    const found = bestOf(meetings(place, finder, respelledPairs(first, place, finder), locate), Infinity);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One of the two as it is written, the other a slip of the pen away, unless it is there as it is written. */
function respelledPairs(first: Asked, { shard, second }: Place, finder: CornerFinder): Pair[] {
  const [one, two] = [spelled(first, shard), spelled(second, shard)];
  const isHere = (names: readonly Named[]): boolean => names.some((name) => finder.of(name)?.size !== 0);
  return [
    ...(isHere(one) ? [] : pairsOf(spelledLike(first.street, shard), two)),
    ...(isHere(two) ? [] : pairsOf(one, spelledLike(second.street, shard))),
  ];
}

/** As it is written, and with the other article: `Alameda` for `The Alameda`. */
const spelled = (asked: Asked, shard: AddressShard): Named[] => [
  ...asWritten(asked, shard),
  ...withArticle(asked, shard),
];

/**
 * Where there is no such name, also as a name that lacks its kind and ends with a word for one: `Muddy Creek` for its
 * road.
 */
function asWritten({ street, words }: Asked, shard: AddressShard): Named[] {
  const named = (asked: StreetName): Named[] => {
    const name = shard.findName(asked.key);
    return name < 0 ? [] : [{ street: asked, name, cost: 0, mostDifferences: MOST_DIFFERENCES }];
  };
  const usual = named(street);
  return usual.length > 0 ? usual : otherReadings(words, street).flatMap(named);
}

/** One difference counts as much as the article: `Alameda Ct` is not met where `The Alameda` is. */
function withArticle({ words }: Asked, shard: AddressShard): Named[] {
  const street = withOtherArticle(words);
  const name = street ? shard.findName(street.key) : -1;
  const cost = COST.articleOther;
  return !street || name < 0 ? [] : [{ street, name, cost, mostDifferences: MOST_DIFFERENCES - cost }];
}

/**
 * Names a slip of the pen away. No short ones and none with figures, of which many are alike: at a crossing there is no
 * house number that would tell them apart.
 */
function spelledLike(street: StreetName, shard: AddressShard): Named[] {
  const { key } = street;
  if (slipCost(key) > COST.slip || /\d/.test(key)) return [];
  const names = shard.namesSpelledLike(key).slice(0, MAX_SPELLINGS);
  return names.map((name) => ({ street, name, cost: COST.slip, mostDifferences: MOST_DIFFERENCES }));
}

type Pair = readonly [Named, Named];

const pairsOf = (ones: readonly Named[], others: readonly Named[]): Pair[] =>
  ones.flatMap((one) => others.map((other) => [one, other] as const));

const meetings = (place: Place, finder: CornerFinder, pairs: readonly Pair[], locate: Locate): Meeting[] =>
  pairs.flatMap(([one, two]) => meet(place, finder, one, two, locate) ?? []);

/** The best of all; a tie with what is worse by no more than the margin. */
function bestOf(found: readonly Meeting[], margin: number): Crossing | 'tie' | undefined {
  const least = Math.max(...found.map(({ score }) => score)) - margin;
  const [first, ...others] = found.filter(({ score }) => score >= least);
  return others.length > 0 ? 'tie' : first?.at;
}
