import { withDirectionAsName, withOtherArticle } from '../../core/streets/other-readings.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { AddressReading } from '../parse/readings.js';
import { Candidates } from './candidates.js';
import { collect, collectAround, collectInCity, collectOther, collectStreet, type Query } from './collect.js';
import { otherForms } from './number-forms.js';
import { isNumberInName } from './number-in-name.js';
import { respell } from './respell.js';
import { COST, GOOD, MATCH_THRESHOLD, PERFECT, TIE_MARGIN } from './scores.js';
import { splitsOf } from './splits.js';

/** For how many ways to divide an address other spellings are tried. */
const MAX_SPLITS_RESPELLED = 5;

/**
 * Adds the ranges of a state that a reading may mean. Names as written come first, with the number as written and then
 * with what else it may be. If none is good: other spellings of the names. If that is no better than a neighbouring ZIP
 * would be: all of it again in the surrounding ZIPs.
 */
export function searchShard(reading: AddressReading, shard: AddressShard, cost: number, candidates: Candidates): void {
  if (isNumberInName(reading, shard)) return;
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
  // Each form by itself: what one finds must not end the search for another, which may be as good.
  const collectForms = (collectForm: (queries: readonly Query[], found: Candidates) => void): void => {
    for (const queries of inOtherForms) {
      const found = new Candidates();
      collectForm(queries, found);
      candidates.addAll(found);
    }
  };
  collectForms((queries, found) => queries.some((query) => isFound(query, found)));
  if (isGood(reading, candidates) || reading.onlyAsWritten) return;
  collectOtherwise(asWritten, candidates);
  if (candidates.best < MATCH_THRESHOLD) collectForms(collectOtherwise);
}

/** Whether no other spelling need be tried. Without a ZIP, nothing costs less than a known city or, without one, the state. */
function isGood({ zip }: Pick<Query, 'zip'>, { best, kept: [first] }: Candidates): boolean {
  if (zip !== undefined || first === undefined) return best >= GOOD;
  return best >= GOOD - (first.city >= 0 ? COST.cityOnly : COST.stateOnly);
}

/** Adds the ranges of the name as written. Returns whether there is then a candidate that is good enough. */
function isFound(query: Query, candidates: Candidates): boolean {
  const { split, street } = query;
  collectStreet(query, collect, candidates);
  // `12 W South` may be on W South Street.
  const named = withDirectionAsName(split.words);
  if (named) collectOther(query, named, 0, collect, candidates);
  if (!isGood(query, candidates)) return false;
  // `12 Plaza` may be Plaza Drive, or The Plaza.
  const other = street.type === '' ? withOtherArticle(split.words) : undefined;
  if (other) collectOther(query, other, COST.articleOther, collect, candidates);
  // A house in the city named, far from the ZIP, is just as likely: nothing tells which of the two is mistaken.
  if (split.city.isFarFromZip()) collectStreet(query, collectInCity, candidates);
  return true;
}

/** Adds the ranges of other spellings; if those are not good, the ranges of all spellings around the ZIP. */
function collectOtherwise(asWritten: readonly Query[], candidates: Candidates): void {
  const queries = asWritten.slice(0, MAX_SPLITS_RESPELLED);
  for (const query of queries) respell(query, collect, candidates);
  if (candidates.best > PERFECT - COST.zipNeighbouringOfCity + TIE_MARGIN) return;
  for (const query of queries) collectStreet(query, collectAround, candidates);
  if (candidates.best < MATCH_THRESHOLD) for (const query of queries) respell(query, collectAround, candidates);
}
