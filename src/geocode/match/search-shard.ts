import { similarHighways } from '../../core/highways.js';
import type { HouseNumber } from '../../core/house-number.js';
import { ordinalFigures } from '../../core/ordinals.js';
import { otherReadings, parseStreetName, type StreetName, withOtherArticle } from '../../core/street-name.js';
import { streetType, TYPE_SPELLINGS } from '../../core/street-types.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import { isOneSlipAway } from '../../format/addresses/slips.js';
import type { AddressReading } from '../parse/readings.js';
import type { Candidates } from './candidates.js';
import { collect, collectAround, type Query } from './collect.js';
import { COST, GOOD, MATCH_THRESHOLD, PERFECT, slipCost, TIE_MARGIN } from './scores.js';
import { type Split, splitsOf } from './splits.js';

/** Of how many ways to divide an address other spellings are looked for. */
const MAX_SPLITS_RESPELLED = 5;

type Collect = typeof collect;

/**
 * Adds the ranges of a state that a reading may mean. Names as they are written come first; where none is good, then other
 * kinds of the same highway, names a slip of the pen away, and kinds of street that cannot be made out; and where that is
 * no better than a neighbouring ZIP would be, all of it again in the ZIPs around.
 */
export function searchShard(reading: AddressReading, shard: AddressShard, cost: number, candidates: Candidates): void {
  if (isStreetAlone(reading, shard)) return;
  const goodEnough = reading.zip === undefined ? GOOD - COST.stateOnly : GOOD;
  for (const [number, formCost] of numberForms(reading.number)) {
    const queries: Query[] = [];
    for (const split of splitsOf(reading, shard)) {
      const query = { shard, number, zip: reading.zip, split, street: split.street, cost: cost + formCost };
      queries.push(query);
      collectKey(query, query.street, collect, candidates);
      if (candidates.best < goodEnough) continue;
      // `12 Plaza` may be Plaza Drive, or The Plaza.
      if (query.street.type === '') collectOtherArticle(query, collect, candidates);
      return;
    }
    const likely = queries.slice(0, MAX_SPLITS_RESPELLED);
    for (const query of likely) respell(query, collect, candidates);
    if (candidates.best <= PERFECT - COST.zipNeighbouring + TIE_MARGIN) {
      for (const query of likely) collectKey(query, query.street, collectAround, candidates);
      if (candidates.best < MATCH_THRESHOLD) for (const query of likely) respell(query, collectAround, candidates);
    }
    if (candidates.best >= MATCH_THRESHOLD) return;
  }
}

/** Whether a number in letters is a street's that is there: `Seven Oaks Dr` lacks a number, and is not 7 Oaks Drive. */
function isStreetAlone({ numberWord, words, zip, city }: AddressReading, shard: AddressShard): boolean {
  if (numberWord === undefined) return false;
  const splits = [...splitsOf({ words: [numberWord, ...words], zip, city }, shard)];
  return splits.some(({ street, words: own }) => own.length > 1 && shard.findName(street.key) >= 0);
}

function collectKey(query: Query, street: StreetName, collectName: Collect, candidates: Candidates): void {
  const name = query.shard.findName(street.key);
  if (name >= 0) collectName(street === query.street ? query : { ...query, street }, name, candidates);
}

function collectOtherArticle(query: Query, collectName: Collect, candidates: Candidates): void {
  const street = withOtherArticle(query.split.words);
  if (street) collectKey({ ...query, cost: query.cost + COST.articleOther }, street, collectName, candidates);
}

function respell(query: Query, collectName: Collect, candidates: Candidates): void {
  const { shard, street, cost, split } = query;
  collectOtherArticle(query, collectName, candidates);
  const others = otherReadings(split.words, street);
  for (const other of others) collectKey(query, other, collectName, candidates);
  for (const key of similarHighways(street.key)) {
    collectKey({ ...query, cost: cost + COST.highwayKind }, { ...street, key }, collectName, candidates);
  }
  for (const spelled of [street, ...others]) {
    const slipped = { ...query, street: spelled, cost: cost + slipCost(spelled.key) };
    for (const name of shard.namesSpelledLike(spelled.key)) {
      // A direction that is taken for a letter of the name is no slip.
      if (spelled === street || shard.nameKey(name) !== street.key) collectName(slipped, name, candidates);
    }
  }
  const misread = withoutType(split);
  if (misread) collectKey({ ...query, cost: cost + COST.typeUnreadable }, misread, collectName, candidates);
  const ordinal = withoutEnding(street.key);
  if (ordinal !== undefined) {
    collectKey({ ...query, cost: cost + COST.slip }, { ...street, key: ordinal }, collectName, candidates);
  }
}

/** The street without a last word that is a slip away from a kind of street: `Main Steet`. */
function withoutType({ words, street }: Split): Split['street'] | undefined {
  const last = words.at(-1) ?? '';
  if (words.length < 2 || street.type !== '' || streetType(last) !== undefined) return undefined;
  const isMisspelt = TYPE_SPELLINGS.some((type) => isOneSlipAway(last, type));
  return isMisspelt ? parseStreetName(words.slice(0, -1)) : undefined;
}

/** `5YH` for `5TH`: figures whose ending is none. */
function withoutEnding(key: string): string | undefined {
  const [, figures] = /^(\d+)[A-Z]{1,3}$/.exec(key) ?? [];
  return ordinalFigures(key) === undefined ? figures : undefined;
}

const QUEENS = /^(\d+)-$/;

/** A house number, and what else it may mean: `3718` is `37-18` in Queens, `37-18` elsewhere number 37, apartment 18. */
function* numberForms(number: HouseNumber): Generator<readonly [HouseNumber, number]> {
  yield [number, 0];
  const { prefix, written } = number;
  const [, before] = QUEENS.exec(prefix) ?? [];
  if (before !== undefined) yield [{ prefix: '', value: Number(before), written: before }, COST.numberForm];
  else if (prefix === '' && written.length >= 3) {
    const [block, house] = [written.slice(0, -2), written.slice(-2)];
    yield [{ prefix: `${block}-`, value: Number(house), written: `${block}-${house}` }, COST.numberForm];
  }
}
