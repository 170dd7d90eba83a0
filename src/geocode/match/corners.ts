import type { LatLng } from '../../core/coordinates.js';
import { MICRO_PER_DEGREE } from '../../core/street-line.js';
import type { StreetName } from '../../core/street-name.js';
import { type AddressShard, NO_TRACT } from '../../format/addresses/shard.js';
import { joinAddress, type Locate } from './place.js';
import { COST, MATCH_THRESHOLD, nameCost, PERFECT } from './scores.js';
import type { ShardChoice } from './shards-for.js';
import type { Split } from './splits.js';

/** Where two streets meet. */
export interface Crossing extends LatLng {
  readonly matchedAddress: string;
  readonly score: number;
}

/** What two streets have come to. */
export interface Meeting {
  readonly score: number;
  readonly at: Crossing | 'tie';
}

/** A street as it was asked for, a name of the shard that may be its, and what it takes to come from one to the other. */
export interface Named {
  readonly street: StreetName;
  readonly name: number;
  readonly cost: number;
  /** What kind and direction may cost at most: where they are others, it is another street that is met. */
  readonly mostDifferences: number;
}

/** Where corners are looked for. */
export interface Place extends ShardChoice {
  /** The second street, with the city behind it. */
  readonly second: Split;
}

/** What one street has at a corner. */
interface Corner {
  readonly run: number;
  readonly score: number;
  readonly tracts: Set<number>;
}

/** What a street has in the place that the address names, by vertex. */
export type Corners = ReadonlyMap<string, Corner>;

/** Finds the corners of streets, each once. */
export interface CornerFinder {
  /** O(ranges of the name). Undefined where all streets together have too many: what is not looked at may be a corner, too. */
  of(named: Named): Corners | undefined;
}

/**
 * So many ranges are looked at for one address in one state, in some 10 ms. A street that has a city's or a ZIP's name beside
 * it has some hundreds; `Main St & 2nd St, CA` would be dozens of corners, and a tie.
 */
export const MAX_RANGES = 8000;

/** `left` is how many ranges may still be looked at, for all finders of one address. */
export function createCornerFinder(place: Place, budget: { left: number }): CornerFinder {
  const known = new Map<Named, Corners | undefined>();
  return {
    of: (named) => {
      if (!known.has(named)) known.set(named, cornersOf(named, place, budget));
      return known.get(named);
    },
  };
}

/**
 * The place where two streets meet: a tie where its corners are in several tracts, or the best corners at several places.
 * Undefined where they do not meet well enough.
 */
export function meet(
  { shard }: Place,
  finder: CornerFinder,
  first: Named,
  second: Named,
  locate: Locate,
): Meeting | undefined {
  const [one, two] = [finder.of(first), finder.of(second)];
  if (!one || !two) return undefined;
  const met = [...one].flatMap(([vertex, corner]) => {
    const other = two.get(vertex);
    return other && (first.name !== second.name || typeOf(shard, corner) !== typeOf(shard, other))
      ? [{ vertex, corner, other, score: Math.min(corner.score, other.score) }]
      : [];
  });
  const best = Math.max(...met.map(({ score }) => score));
  const [found, ...others] = met.filter(({ score }) => score === best && score >= MATCH_THRESHOLD);
  if (!found) return undefined;
  const tracts = new Set([found, ...others].flatMap(({ corner, other }) => [...corner.tracts, ...other.tracts]));
  const position = pointOf(found.vertex);
  const [tract = NO_TRACT] = tracts;
  const isClear = tract === NO_TRACT ? others.length === 0 : locate(position) === tract;
  if (tracts.size > 1 || !isClear) return { score: best, at: 'tie' };
  const line = [found.corner, found.other].map(({ run }) => shard.streetName(shard.runStreets[run] ?? 0)).join(' & ');
  const matchedAddress = joinAddress(shard, line, shard.runZips[found.corner.run] ?? 0);
  return { score: best, at: { ...position, matchedAddress, score: best } };
}

/** A street does not cross itself: `1st Ave SE` goes on as `1st Ave SW`, and meets `1st St`. */
const typeOf = (shard: AddressShard, { run }: Corner): string => shard.streetType(shard.runStreets[run] ?? 0);

/** The ends of a street's stretches in the place that the address names, by vertex. */
function cornersOf(
  { street, name, cost: spelling, mostDifferences }: Named,
  place: Place,
  budget: { left: number },
): Corners | undefined {
  const { shard, zip: asked, cost: shardCost, second } = place;
  const corners = new Map<string, Corner>();
  for (let run = shard.nameRuns[name] ?? 0; run < (shard.nameRuns[name + 1] ?? 0); run++) {
    const zip = shard.runZips[run] ?? 0;
    const row = shard.runStreets[run] ?? 0;
    const zipCost = asked === undefined || asked === zip ? 0 : COST.zipOther;
    const type = shard.streetType(row);
    const placeCost = shardCost + second.city.cost(zip) + second.restCost(zip, type !== '') + zipCost;
    const differences = nameCost(street, type, shard.streetDirections[row] ?? 0);
    const cost = spelling + differences + placeCost;
    if (differences > mostDifferences || PERFECT - cost < MATCH_THRESHOLD) continue;
    const [begin = 0, end = 0] = [shard.runRanges[run], shard.runRanges[run + 1]];
    budget.left -= end - begin;
    if (budget.left < 0) return undefined;
    for (let range = begin; range < end; range++) {
      addEnds(shard, range, { run, score: PERFECT - cost }, corners);
    }
  }
  return corners;
}

function addEnds(shard: AddressShard, range: number, at: Omit<Corner, 'tracts'>, corners: Map<string, Corner>): void {
  const line = shard.line((shard.rangeEdges[range] ?? 0) >>> 2);
  const tract = shard.rangeTracts[range] ?? NO_TRACT;
  for (const vertex of [`${line[0]},${line[1]}`, `${line.at(-2)},${line.at(-1)}`]) {
    const known = corners.get(vertex);
    if (known && known.score >= at.score) known.tracts.add(tract);
    else corners.set(vertex, { ...at, tracts: new Set([...(known?.tracts ?? []), tract]) });
  }
}

function pointOf(vertex: string): LatLng {
  const [x = 0, y = 0] = vertex.split(',').map(Number);
  return { lat: y / MICRO_PER_DEGREE, lng: x / MICRO_PER_DEGREE };
}
