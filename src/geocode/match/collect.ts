import { isDigitAt } from '../../core/digits.js';
import { firstAtLeast } from '../../core/first-at-least.js';
import { type HouseNumber, hasParity } from '../../core/streets/house-number.js';
import type { StreetName } from '../../core/streets/street-name.js';
import { isMixedIn } from '../../format/addresses/packed-columns.js';
import { type AddressShard, UNKNOWN_ZIP } from '../../format/addresses/shard.js';
import type { Candidates } from './candidates.js';
import type { CityFit } from './city-fit.js';
import { hasKnownCity } from './known-cities.js';
import { COST, nameCost, PERFECT, slipAndTypeCost } from './scores.js';
import { type AskedStreet, ThereAsAsked } from './there-as-asked.js';
import { isNeighbour } from './zip-neighbours.js';

/** What is looked for under one street name. */
export interface Query extends AskedStreet {
  readonly number: HouseNumber;
  /** What it cost to arrive at this name and number. */
  readonly cost: number;
  /** Whether the name looked up is one typo away from the one asked for. */
  readonly isSlipped?: true;
}

/** Adds the ranges that a query finds under an existing name, in some ZIPs. */
export type Collect = (query: Query, name: number, candidates: Candidates) => void;

/** Adds the ranges of the query's own street; none if the state has no such name. */
export function collectStreet(query: Query, collectName: Collect, candidates: Candidates): void {
  const name = query.shard.findName(query.street.key);
  if (name >= 0) collectName(query, name, candidates);
}

/** Adds the ranges of another street than the query's, at an additional cost; none if the state has no such name. */
export function collectOther(
  query: Query,
  street: StreetName,
  cost: number,
  collectName: Collect,
  candidates: Candidates,
): void {
  const name = query.shard.findName(street.key);
  if (name >= 0) collectName({ ...query, street, cost: query.cost + cost }, name, candidates);
}

/** A number outside a range by at most this much is still attributed to the range: ranges lag behind construction. */
const MAX_GAP = 20;

/**
 * Adds a name's ranges in the ZIPs of the city that an address names, for when none of them is near the ZIP that it
 * names. O(ZIPs × log runs + ranges).
 */
export function collectInCity(query: Query, name: number, candidates: Candidates): void {
  const { zips } = query.shard;
  const named = nameFor(query, name);
  for (const at of query.split.city.zips()) collectZip(named, zips.codes[at] ?? 0, candidates, COST.cityOther);
}

/** Adds a name's ranges in the address's ZIP, else in its city's ZIPs, else all of them. O(log runs + ranges). */
export function collect(query: Query, name: number, candidates: Candidates): void {
  const { shard, zip, split } = query;
  const named = nameFor(query, name);
  const deciding = split.city.decidingZips();
  if (zip !== undefined) collectZip(named, zip, candidates);
  else if (deciding) {
    for (const at of deciding) collectZip(named, shard.zips.codes[at] ?? 0, candidates);
    collectZip(named, UNKNOWN_ZIP, candidates);
  } else {
    const end = shard.nameRuns[name + 1] ?? 0;
    for (let run = shard.nameRuns[name] ?? 0; run < end; run++) collectRun(named, run, 0, candidates);
  }
}

/** A query, and the name under which ranges are collected for it. */
interface NamedQuery {
  readonly query: Query;
  readonly name: number;
  readonly there: ThereAsAsked;
}

const nameFor = (query: Query, name: number): NamedQuery => ({ query, name, there: new ThereAsAsked(query, name) });

function collectZip(named: NamedQuery, zip: number, candidates: Candidates, zipCost = 0): void {
  const { name } = named;
  const { runZips, nameRuns } = named.query.shard;
  const end = nameRuns[name + 1] ?? 0;
  for (let run = firstAtLeast(runZips, zip, nameRuns[name] ?? 0, end); run < end && runZips[run] === zip; run++) {
    collectRun(named, run, zipCost, candidates);
  }
}

/**
 * Adds a name's ranges in the ZIPs that neighbour the address's ZIP, in other ZIPs of its city, and in unknown ones.
 * O(runs of the name).
 */
export function collectAround(query: Query, name: number, candidates: Candidates): void {
  const { shard, zip, split } = query;
  if (zip === undefined) return;
  const named = nameFor(query, name);
  for (let run = shard.nameRuns[name] ?? 0; run < (shard.nameRuns[name + 1] ?? 0); run++) {
    const rangeZip = shard.runZips[run] ?? 0;
    if (rangeZip === UNKNOWN_ZIP) collectRun(named, run, COST.zipUnknownHere, candidates);
    else if (rangeZip !== zip && isNeighbour(shard, zip, rangeZip))
      collectRun(named, run, neighbourCost(shard, split.city, zip, rangeZip), candidates);
    else if (rangeZip !== zip && split.city.cityIn(rangeZip) >= 0) collectRun(named, run, COST.zipOfCity, candidates);
  }
}

/**
 * The cost of a range in a ZIP that neighbours the written one. The range is meant only if the written ZIP is mistaken, for
 * which the city is the only witness: it may name the range's ZIP, speak against it, or say nothing.
 */
function neighbourCost(shard: AddressShard, city: CityFit, writtenZip: number, rangeZip: number): number {
  const isInCity = city.cityIn(rangeZip) >= 0;
  if (isInCity) return COST.zipNeighbouringOfCity;
  const speaksAgainst = isOtherCity(shard, city, writtenZip, rangeZip) || isCityOfWritten(city, writtenZip, rangeZip);
  return COST.zipNeighbouring + (speaksAgainst ? COST.zipAndCityOther : 0);
}

/**
 * Whether the city named, however misspelled, is not known to use the range's ZIP, as others are, and no range of the state
 * has the written ZIP: that need not be mistaken, but may be a post office box's, or another county's.
 */
const isOtherCity = (shard: AddressShard, city: CityFit, writtenZip: number, rangeZip: number): boolean =>
  city.isWritten && shard.zips.find(writtenZip) < 0 && hasKnownCity(shard, rangeZip) && !city.isOf(rangeZip);

/** Whether the city uses the written ZIP, and only others use the range's: both would have to be mistaken. */
const isCityOfWritten = (city: CityFit, writtenZip: number, rangeZip: number): boolean =>
  city.cityIn(writtenZip) >= 0 && city.cost(rangeZip) === COST.cityOther;

function collectRun({ query, there }: NamedQuery, run: number, zipCost: number, candidates: Candidates): void {
  const { shard, number, split, street } = query;
  if (shard.prefixes[shard.runPrefixes[run] ?? 0] !== number.prefix) return;
  const zip = shard.runZips[run] ?? 0;
  const row = shard.runStreets[run] ?? 0;
  const type = shard.streetType(row);
  const spelling = query.isSlipped ? slipAndTypeCost(street, type) : 0;
  const differences = nameCost(street, type, shard.streetDirections[row] ?? 0) + spelling;
  // `Township Rd 5` is not Township Road E, apartment 5, nor is `State Hwy 5` State Street.
  const isOtherRoad = differences >= COST.typeWrong || query.isSlipped === true;
  if ((differences > 0 || isOtherRoad) && split.lacksHighwayNumber(isOtherRoad)) return;
  // `150 Church St East Hartford` is in East Hartford rather than on the Church Street of Hartford.
  if (differences >= COST.directionAdded && split.endsWithDirectionOfCity()) return;
  const likeness =
    PERFECT - query.cost - zipCost - differences - split.restCost(zip, type !== '') - split.city.cost(zip);
  if (likeness < candidates.best - COST.numberOutside) return;
  const isOther = differences >= COST.typeWrong && there.nearZip(zip);
  if (isOther && (differences >= COST.directionWrong || isOtherOfNumber(query, there, zip))) return;
  const score = isOther ? likeness - COST.thereAsAsked : likeness;
  const { inside, nearest, gap } = findRanges(shard, run, number.value);
  const add = (range: number, own: number, type: 'exact' | 'interpolated' | 'street'): void =>
    candidates.add({ shard, run, range, number, asked: split.words, score: own, type, city: split.city.cityIn(zip) });
  for (const range of inside) add(range, score, isEnd(shard, range, number.value) ? 'exact' : 'interpolated');
  // The number 0 stands for one that is unknown, as in lists of parcels.
  if (inside.length === 0 && gap <= MAX_GAP && number.value > 0)
    for (const range of nearest) add(range, score - COST.numberOutside, 'street');
}

/**
 * Whether a numbered street of another type must be another street: `5th St` is no more 5th Avenue than N Elm Street is S
 * Elm Street, unless the ZIP may be mistaken instead.
 */
function isOtherOfNumber(query: Query, there: ThereAsAsked, zip: number): boolean {
  const { key } = query.street;
  const isNumbered = isDigitAt(key, 0) && isDigitAt(key, key.length - 1);
  return isNumbered && (query.zip === undefined || there.inZip(zip) || there.inWrittenZip());
}

/** What a run has for a house number, among its ranges of the number's parity. */
interface Found {
  /** The ranges with the number between their ends, or at one. */
  readonly inside: readonly number[];
  /** Of the others, all that are nearest to the number, and how far it is beyond their ends: Infinity if there are none. */
  readonly nearest: readonly number[];
  readonly gap: number;
}

const NOTHING: readonly number[] = [];

/**
 * Looks through all ranges of a run, since they may overlap. After each of them, `inside`, `nearest` and `gap` are what
 * {@link Found} says of the ranges up to it: `gap` only ever shrinks, and `nearest` begins anew whenever it does. O(ranges
 * of the run).
 */
function findRanges({ runRanges, rangeNumbers, rangeEdges }: AddressShard, run: number, value: number): Found {
  let inside: number[] | undefined;
  let nearest: number[] = [];
  let gap = Infinity;
  const end = runRanges[run + 1] ?? 0;
  for (let range = runRanges[run] ?? 0; range < end; range++) {
    const from = rangeNumbers[range * 2] ?? 0;
    const to = rangeNumbers[range * 2 + 1] ?? 0;
    // How far the number is beyond the range's ends; 0 or less if it is between them.
    const beyond = Math.max(Math.min(from, to) - value, value - Math.max(from, to));
    if (beyond > gap || !hasParity(from, to, isMixedIn(rangeEdges[range] ?? 0), value)) continue;
    if (beyond === gap) nearest.push(range);
    else if (beyond > 0) [nearest, gap] = [[range], beyond];
    else if (inside) inside.push(range);
    else inside = [range];
  }
  return { inside: inside ?? NOTHING, nearest, gap };
}

const isEnd = ({ rangeNumbers }: AddressShard, range: number, value: number): boolean =>
  rangeNumbers[range * 2] === value || rangeNumbers[range * 2 + 1] === value;
