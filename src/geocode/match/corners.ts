import type { LatLng } from '../../core/coordinates.js';
import { MICRO_PER_DEGREE } from '../../core/streets/street-line.js';
import type { StreetName } from '../../core/streets/street-name.js';
import { edgeIn } from '../../format/addresses/packed-columns.js';
import { type AddressShard, NO_TRACT } from '../../format/addresses/shard.js';
import type { Locate } from './position.js';
import { COST, MATCH_THRESHOLD, nameCost, PERFECT } from './scores.js';
import type { ShardChoice } from './shards-for.js';
import type { Split } from './splits.js';
import { joinAddress } from './standard-address.js';

/** The place where two streets meet. */
export interface Crossing extends LatLng {
  readonly matchedAddress: string;
  readonly score: number;
}

/** The outcome for one pair of streets that meet. */
export interface Meeting {
  readonly score: number;
  readonly at: Crossing | 'tie';
}

/** A street as asked for, a name of the shard that may be meant, and the cost of going from one to the other. */
export interface Named {
  readonly street: StreetName;
  readonly name: number;
  readonly cost: number;
  /** What differences in type and direction may cost at most: beyond it, the street that is met is another one. */
  readonly mostDifferences: number;
}

/** Where corners are searched for. */
export interface SearchArea extends ShardChoice {
  /** The second street, with the city that follows it. */
  readonly second: Split;
}

/** A vertex at which stretches of a street end. */
interface Corner {
  /** In units of 1e-6 degrees. */
  readonly x: number;
  readonly y: number;
  /** The best of the runs that end here. */
  readonly run: number;
  readonly score: number;
  /** The tracts on all sides of the stretches that end here, without duplicates. */
  readonly tracts: number[];
}

/** A street's corners in the area that the address names, by {@link vertexKey}. */
export type Corners = ReadonlyMap<number, Corner>;

/** Finds the corners of streets. Undefined if too many ranges would be examined: the rest may have corners, too. */
export interface CornerFinder {
  /** All corners of a street, computed once. O(ranges of the name). */
  of(named: Named): Corners | undefined;
  /** The corners of two streets: of each, at least those that the other may share. */
  ofBoth(first: Named, second: Named): readonly [Corners, Corners] | undefined;
}

/**
 * At most this many ranges are examined for one address in one state, which takes 2 to 4 ms. A street together with a
 * city's or a ZIP's name has some hundreds; `Main St & 2nd St, CA` would have dozens of corners, and be a tie.
 */
export const MAX_RANGES = 8000;

/** `budget.left` is how many more ranges may be examined, by all finders of one crossing together. */
export function createCornerFinder(area: SearchArea, budget: { left: number }): CornerFinder {
  const known = new Map<Named, Corners | undefined>();
  const of = (named: Named): Corners | undefined => {
    if (!known.has(named)) known.set(named, cornersOf(named, area, budget));
    return known.get(named);
  };
  /** Looking a corner up is quicker than storing it: all corners are stored only of the street with fewer ranges. */
  const among = (few: Named, many: Named): readonly [few: Corners, many: Corners] | undefined => {
    const corners = of(few);
    const shared = corners && (known.get(many) ?? cornersOf(many, area, budget, corners));
    return shared && [corners, shared];
  };
  return {
    of,
    ofBoth: (first, second) => {
      if (rangeCount(first, area) <= rangeCount(second, area)) return among(first, second);
      const [two, one] = among(second, first) ?? [];
      return one && two && [one, two];
    },
  };
}

function rangeCount({ name }: Named, { shard: { nameRuns, runRanges } }: SearchArea): number {
  return (runRanges[nameRuns[name + 1] ?? 0] ?? 0) - (runRanges[nameRuns[name] ?? 0] ?? 0);
}

/**
 * The place where two streets meet: a tie if its corners are in several tracts, or if several places are equally good.
 * Undefined if they do not meet well enough.
 */
export function meet(
  { shard }: SearchArea,
  finder: CornerFinder,
  first: Named,
  second: Named,
  locate: Locate,
): Meeting | undefined {
  const [one, two] = finder.ofBoth(first, second) ?? [];
  if (!one || !two) return undefined;
  const met: { corner: Corner; other: Corner; score: number }[] = [];
  for (const [vertex, corner] of one) {
    const other = two.get(vertex);
    if (!other || other.y !== corner.y) continue;
    // A street does not cross itself: `1st Ave SE` continues as `1st Ave SW`. But 1st Avenue may meet `1st St`.
    if (first.name === second.name && typeOf(shard, corner) === typeOf(shard, other)) continue;
    met.push({ corner, other, score: Math.min(corner.score, other.score) });
  }
  const best = Math.max(...met.map(({ score }) => score));
  const [found, ...others] = met.filter(({ score }) => score === best && score >= MATCH_THRESHOLD);
  if (!found) return undefined;
  const tracts = new Set([found, ...others].flatMap(({ corner, other }) => [...corner.tracts, ...other.tracts]));
  const { x, y } = found.corner;
  const position = { lat: y / MICRO_PER_DEGREE, lng: x / MICRO_PER_DEGREE };
  const [tract = NO_TRACT] = tracts;
  const isClear = tract === NO_TRACT ? others.length === 0 : locate(position) === tract;
  if (tracts.size > 1 || !isClear) return { score: best, at: 'tie' };
  const line = [found.corner, found.other].map(({ run }) => shard.streetName(shard.runStreets[run] ?? 0)).join(' & ');
  const matchedAddress = joinAddress(shard, line, shard.runZips[found.corner.run] ?? 0);
  return { score: best, at: { ...position, matchedAddress, score: best } };
}

const typeOf = (shard: AddressShard, { run }: Corner): string => shard.streetType(shard.runStreets[run] ?? 0);

/** The ends of a street's stretches in the area that the address names, by vertex: all, or only those `among` others. */
function cornersOf(named: Named, area: SearchArea, budget: { left: number }, among?: Corners): Corners | undefined {
  const { runRanges } = area.shard;
  const runs = runsOf(named, area);
  // Charged before any range is examined, so that a street with too many costs no time.
  for (const { run } of runs) budget.left -= (runRanges[run + 1] ?? 0) - (runRanges[run] ?? 0);
  if (budget.left < 0) return undefined;
  const corners = new Map<number, Corner>();
  for (const at of runs) {
    const end = runRanges[at.run + 1] ?? 0;
    for (let range = runRanges[at.run] ?? 0; range < end; range++) addEnds(area.shard, range, at, corners, among);
  }
  return corners;
}

/** A street's runs in the ZIPs of the area, with how well each fits what was asked for. */
function runsOf(
  { street, name, cost: spelling, mostDifferences }: Named,
  { shard, zip: asked, cost: shardCost, second }: SearchArea,
): Pick<Corner, 'run' | 'score'>[] {
  const runs: Pick<Corner, 'run' | 'score'>[] = [];
  for (let run = shard.nameRuns[name] ?? 0; run < (shard.nameRuns[name + 1] ?? 0); run++) {
    const zip = shard.runZips[run] ?? 0;
    const row = shard.runStreets[run] ?? 0;
    const zipCost = asked === undefined || asked === zip ? 0 : COST.zipOther;
    const type = shard.streetType(row);
    const areaCost = shardCost + second.city.cost(zip) + second.restCost(zip, type !== '') + zipCost;
    const differences = nameCost(street, type, shard.streetDirections[row] ?? 0);
    const score = PERFECT - (spelling + differences + areaCost);
    if (differences <= mostDifferences && score >= MATCH_THRESHOLD) runs.push({ run, score });
  }
  return runs;
}

function addEnds(
  shard: AddressShard,
  range: number,
  { run, score }: Pick<Corner, 'run' | 'score'>,
  corners: Map<number, Corner>,
  among?: Corners,
): void {
  const tract = shard.rangeTracts[range] ?? NO_TRACT;
  const [firstX, firstY, lastX, lastY] = shard.lineEnds(edgeIn(shard.rangeEdges[range] ?? 0));
  add(firstX, firstY);
  add(lastX, lastY);

  function add(x: number, y: number): void {
    const key = vertexKey(x, y);
    if (among && !among.has(key)) return;
    const known = corners.get(key);
    if (known && !known.tracts.includes(tract)) known.tracts.push(tract);
    if (!known || known.score < score) corners.set(key, { x, y, run, score, tracts: known?.tracts ?? [tract] });
  }
}

/**
 * A whole number for a vertex, which a Map finds faster than a string. To fit 53 bits it drops multiples of 16.8 degrees
 * of latitude, so vertices with the same key must be compared by `y`, too.
 */
const vertexKey = (x: number, y: number): number => x * LATITUDES + (y & (LATITUDES - 1));

const LATITUDES = 2 ** 24;
