import { isOneSlipAway } from '../../core/slips.js';
import { plainWords } from '../../core/streets/fold-text.js';
import { isHighwayQualifier, similarHighways, withHighwayWord } from '../../core/streets/highways.js';
import { ordinalFigures } from '../../core/streets/ordinals.js';
import {
  otherReadings,
  placeOfType,
  withDirectionAsName,
  withEndDirectionApart,
  withLetterApart,
  withOtherArticle,
  withShortTypeApart,
  withSpaceMoved,
  withTypeOnce,
} from '../../core/streets/other-readings.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { areOneInFull, parseStreetName, type Reading, type StreetName } from '../../core/streets/street-name.js';
import { isStreetType, TYPE_SPELLINGS } from '../../core/streets/street-types.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { AddressReading } from '../parse/readings.js';
import { Candidates } from './candidates.js';
import { collect, collectAround, collectInCity, type Query } from './collect.js';
import { otherForms } from './number-forms.js';
import { COST, GOOD, MATCH_THRESHOLD, PERFECT, slipCost, TIE_MARGIN } from './scores.js';
import { type Split, splitsOf } from './splits.js';
import { isStreetAlone } from './street-alone.js';
import { isNameAsAsked } from './there-as-asked.js';

/** For how many ways to divide an address other spellings are tried. */
const MAX_SPLITS_RESPELLED = 5;

type Collect = typeof collect;

/**
 * Adds the ranges of a state that a reading may mean. Names as written come first, with the number as written and then
 * with what else it may be. If none is good: other kinds of the same highway, names one typo away, and street types that
 * are unreadable. If that is no better than a neighbouring ZIP would be: all of it again in the surrounding ZIPs.
 */
export function searchShard(reading: AddressReading, shard: AddressShard, cost: number, candidates: Candidates): void {
  if (isStreetAlone(reading, shard)) return;
  const asWritten: Query[] = [];
  for (const split of splitsOf(reading, shard)) {
    const query = { shard, number: reading.number, zip: reading.zip, split, street: split.street, cost };
    asWritten.push(query);
    if (isFound(query, candidates) && !split.endsWithDirectionOfCity()) return;
  }
  if (isGood(reading, candidates)) return;
  const inOtherForms = otherForms(reading.number).map((number) =>
    asWritten.map((query) => ({ ...query, number, cost: cost + COST.numberForm })),
  );
  for (const queries of inOtherForms) {
    // Each by itself: what one finds must not end the search for another, which may be as good.
    const found = new Candidates();
    queries.some((query) => isFound(query, found));
    for (const candidate of found.kept) candidates.add(candidate);
  }
  if (isGood(reading, candidates) || reading.onlyAsWritten) return;
  for (const queries of [asWritten, ...inOtherForms]) {
    collectOtherwise(queries.slice(0, MAX_SPLITS_RESPELLED), candidates);
    if (candidates.best >= MATCH_THRESHOLD) return;
  }
}

/** Whether no other spelling need be tried. Without a ZIP, nothing costs less than a known city or, without one, the state. */
function isGood({ zip }: Pick<Query, 'zip'>, { best, kept: [first] }: Candidates): boolean {
  if (zip !== undefined || first === undefined) return best >= GOOD;
  return best >= GOOD - (first.city >= 0 ? COST.cityOnly : COST.stateOnly);
}

/** Adds the ranges of the name as written. Returns whether there is then a candidate that is good enough. */
function isFound(query: Query, candidates: Candidates): boolean {
  collectKey(query, query.street, collect, candidates);
  const named = withDirectionAsName(query.split.words);
  if (named) collectKey(query, named, collect, candidates);
  if (!isGood(query, candidates)) return false;
  // `12 Plaza` may be Plaza Drive, or The Plaza.
  if (query.street.type === '') collectOtherArticle(query, collect, candidates);
  // A house in the city named, far from the ZIP, is just as likely: nothing tells which of the two is mistaken.
  if (query.split.city.isFarFromZip()) collectKey(query, query.street, collectInCity, candidates);
  return true;
}

function collectOtherwise(queries: readonly Query[], candidates: Candidates): void {
  for (const query of queries) respell(query, collect, candidates);
  if (candidates.best > PERFECT - COST.zipNeighbouringOfCity + TIE_MARGIN) return;
  for (const query of queries) collectKey(query, query.street, collectAround, candidates);
  if (candidates.best < MATCH_THRESHOLD) for (const query of queries) respell(query, collectAround, candidates);
}

function collectKey(query: Query, street: StreetName, collectName: Collect, candidates: Candidates): void {
  const name = query.shard.findName(street.key);
  if (name >= 0) collectName(street === query.street ? query : { ...query, street }, name, candidates);
}

function collectOtherArticle(query: Query, collectName: Collect, candidates: Candidates): void {
  const street = withOtherArticle(query.split.words);
  if (street) collectKey({ ...query, cost: query.cost + COST.articleOther }, street, collectName, candidates);
}

/** Whether the state has a numbered highway of this name, perhaps of another kind: 9N is not Highway 9 going north then. */
function isHighway({ key }: StreetName, shard: AddressShard): boolean {
  const others = similarHighways(key);
  return others.length > 0 && [key, ...others].some((name) => shard.findName(name) >= 0);
}

function collectSimilarHighways(query: Query, street: StreetName, collectName: Collect, candidates: Candidates): void {
  for (const key of similarHighways(street.key)) {
    collectKey({ ...query, cost: query.cost + COST.highwayKind }, { ...street, key }, collectName, candidates);
  }
}

function respell(query: Query, collectName: Collect, candidates: Candidates): void {
  const { shard, street, cost, split } = query;
  collectOtherArticle(query, collectName, candidates);
  const isThere = isNameAsAsked(query);
  const others = otherReadings(split.words, street, isThere);
  for (const other of others) collectKey(query, other, collectName, candidates);
  // Only if nothing follows the street: `Mill St St George` is in Saint George.
  const once = split.isAll ? withTypeOnce(split.words, street) : undefined;
  if (once) collectKey(query, once, collectName, candidates);
  for (const apart of [withLetterApart, withShortTypeApart, withEndDirectionApart].map((read) => read(split.words))) {
    if (!apart || isHighway(street, shard)) continue;
    const spaced = { ...query, cost: cost + COST.spaceMissing };
    collectKey(spaced, apart, collectName, candidates);
    collectSimilarHighways(spaced, apart, collectName, candidates);
  }
  for (const moved of withSpaceMoved(split.words)) {
    collectKey({ ...query, cost: cost + COST.slip }, moved, collectName, candidates);
  }
  collectSimilarHighways(query, street, collectName, candidates);
  const spellings = isThere ? [] : [street, ...others];
  for (const spelled of spellings) {
    // A reading whose whole name is a street type is not respelled: `North Ln` is not North Lake Rd.
    if (spelled !== street && isStreetType(spelled.key)) continue;
    const slipped: Query = { ...query, street: spelled, cost: cost + slipCost(spelled.key), isSlipped: true };
    for (const name of shard.namesSpelledLike(spelled.key)) {
      if (spelled === street && isSpelledInFull(split.words, shard, name)) collectName(query, name, candidates);
      // `NMAIN` for `N Main` differs from `MAIN` by a direction read as part of the name, not by a typo.
      if (spelled === street || shard.nameKey(name) !== street.key) collectName(slipped, name, candidates);
    }
  }
  const highway = withHighwayWord(split.words);
  const named = highway && parseStreetName(highway);
  if (named) collectKey({ ...query, cost: cost + COST.highwayWordMissing }, named, collectName, candidates);
  for (const misread of withoutType(split))
    collectKey({ ...query, cost: cost + COST.typeUnreadable }, misread, collectName, candidates);
  const ordinal = withoutEnding(street.key);
  if (ordinal !== undefined) {
    collectKey({ ...query, cost: cost + COST.slip }, { ...street, key: ordinal }, collectName, candidates);
  }
}

/** Whether a name's streets differ from the words asked for in spaces alone, and not by a typo. */
function isSpelledInFull(words: readonly string[], shard: AddressShard, name: number): boolean {
  const end = shard.nameRuns[name + 1] ?? 0;
  for (let run = shard.nameRuns[name] ?? 0; run < end; run++) {
    if (!areOneInFull(words, plainWords(shard.streetName(shard.runStreets[run] ?? 0)))) return false;
  }
  return true;
}

const UNTYPED: Reading = { directions: true, type: false };

/**
 * The street without the word at the place of its type if that is one typo away from a street type, and no direction:
 * `Main Steet`, `Main Steet W`.
 */
function withoutType({ words, street }: Split): StreetName[] {
  const at = placeOfType(words);
  const word = words[at] ?? '';
  // `Avenue D` is not Avenue Road.
  if (at < 1 || word.length < 2 || street.type !== '' || isStreetType(word) || isDirection(word)) {
    return [];
  }
  // `US Hwy 20 Truck` is no track, and `Park AveS` is Park Avenue S.
  const isOther = isHighwayQualifier(word) || withEndDirectionApart(words) !== undefined;
  const isMisspelt = !isOther && TYPE_SPELLINGS.some((type) => isOneSlipAway(word, type));
  if (!isMisspelt) return [];
  // `River` is the type of `N River E`, but not of `N River Circel E`.
  const rest = words.toSpliced(at, 1);
  return [parseStreetName(rest), parseStreetName(rest, UNTYPED)].flatMap((read) => read ?? []);
}

/** The digits of an ordinal whose ending is misspelled: `5YH` for `5TH`. */
function withoutEnding(key: string): string | undefined {
  const [, figures] = /^(\d+)[A-Z]{1,3}$/.exec(key) ?? [];
  return ordinalFigures(key) === undefined ? figures : undefined;
}
