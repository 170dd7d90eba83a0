import { parseStreetName, type StreetName } from '../../core/street-name.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { CrossingReading } from '../parse/readings.js';
import { type Crossing, cornersOf, meet, type Named, type Place } from './corners.js';
import type { Locate } from './place.js';
import { COST, slipCost } from './scores.js';
import type { ShardChoice } from './shards-for.js';
import { type Split, splitsOf } from './splits.js';

/** Of how many ways to divide second street and city corners are looked for. */
const MAX_SPLITS = 3;

/** Of how many other spellings corners are looked for. */
const MAX_SPELLINGS = 16;

/**
 * The place where two streets meet, by a vertex at which stretches of both end. A corner may be in up to four tracts: it is
 * a match where all sides that meet there are in one tract, else a tie. Where nothing meets as it is written, one of the two
 * may be a slip of the pen away. Undefined where the streets do not meet.
 */
export function matchCrossing(
  { streets: [one, words], city }: CrossingReading,
  choice: ShardChoice,
  locate: Locate,
): Crossing | 'tie' | undefined {
  const first = parseStreetName(one);
  if (!first) return undefined;
  const { shard, zip } = choice;
  const splits = [...splitsOf({ words, city, zip }, shard)];
  const isThere = ({ street }: Split): boolean => shard.findName(street.key) >= 0;
  for (const second of splits.filter(isThere).slice(0, MAX_SPLITS)) {
    const found = meetAny(
      { ...choice, second },
      pairsOf(asWritten(first, shard), asWritten(second.street, shard)),
      locate,
    );
    if (found !== undefined) return found;
  }
  for (const second of splits.slice(0, MAX_SPLITS)) {
    const place = { ...choice, second };
    const found = meetAny(place, respelledPairs(first, place), locate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One of the two as it is written, the other a slip of the pen away, unless it is there as it is written. */
function respelledPairs(first: StreetName, place: Place): Pair[] {
  const { shard, second } = place;
  const [one, two] = [asWritten(first, shard), asWritten(second.street, shard)];
  const isHere = (names: readonly Named[]): boolean => names.some((name) => cornersOf(name, place).size > 0);
  return [
    ...(isHere(one) ? [] : pairsOf(spelledLike(first, shard), two)),
    ...(isHere(two) ? [] : pairsOf(one, spelledLike(second.street, shard))),
  ];
}

function asWritten(street: StreetName, shard: AddressShard): Named[] {
  const name = shard.findName(street.key);
  return name < 0 ? [] : [{ street, name, cost: 0 }];
}

/**
 * Names a slip of the pen away. No short ones and none with figures, of which many are alike: at a crossing there is no house
 * number that would tell them apart.
 */
function spelledLike(street: StreetName, shard: AddressShard): Named[] {
  const { key } = street;
  if (slipCost(key) > COST.slip || /\d/.test(key)) return [];
  const names = shard.namesSpelledLike(key).slice(0, MAX_SPELLINGS);
  return names.map((name) => ({ street, name, cost: COST.slip }));
}

type Pair = readonly [Named, Named];

const pairsOf = (ones: readonly Named[], others: readonly Named[]): Pair[] =>
  ones.flatMap((one) => others.map((other) => [one, other] as const));

function meetAny(place: Place, pairs: readonly Pair[], locate: Locate): Crossing | 'tie' | undefined {
  const [found, ...others] = pairs
    .map(([one, two]) => meet(place, one, two, locate))
    .filter((crossing) => crossing !== undefined);
  return others.length > 0 ? 'tie' : found;
}
