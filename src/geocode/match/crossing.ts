import type { LatLng } from '../../core/coordinates.js';
import { MICRO_PER_DEGREE } from '../../core/street-line.js';
import { parseStreetName, type StreetName } from '../../core/street-name.js';
import { type AddressShard, NO_TRACT } from '../../format/addresses/shard.js';
import type { CrossingReading } from '../parse/readings.js';
import { joinAddress, type Locate } from './place.js';
import { COST, MATCH_THRESHOLD, nameCost, PERFECT } from './scores.js';
import type { ShardChoice } from './shards-for.js';
import { type Split, splitsOf } from './splits.js';

/** Where two streets meet. */
export interface Crossing extends LatLng {
  readonly matchedAddress: string;
  readonly score: number;
}

/** What one street has at a corner. */
interface Corner {
  readonly run: number;
  readonly score: number;
  readonly tracts: Set<number>;
}

/** Kind of street and direction may be missing; where they are others, it is another street that is met. */
const MOST_DIFFERENCES = COST.typeMissing + COST.directionMissing;

/** Of how many ways to divide second street and city corners are looked for. */
const MAX_SPLITS = 3;

/** Streets with more ranges than this are looked at no further. */
const MAX_RANGES = 20_000;

/**
 * The place where two streets meet, by a vertex at which stretches of both end. A corner may be in up to four tracts: it is
 * a match where all sides that meet there are in one tract, else a tie. Undefined where the streets do not meet.
 */
export function matchCrossing(
  { streets: [one, words], city }: CrossingReading,
  { shard, zip, cost }: ShardChoice,
  locate: Locate,
): Crossing | 'tie' | undefined {
  const first = parseStreetName(one);
  if (!first || shard.findName(first.key) < 0) return undefined;
  let tried = 0;
  for (const second of splitsOf({ words, city, zip }, shard)) {
    if (shard.findName(second.street.key) < 0) continue;
    const found = meet({ shard, zip, cost, second }, first, locate);
    if (found !== undefined || ++tried === MAX_SPLITS) return found;
  }
  return undefined;
}

/** Where corners are looked for. */
interface Place extends ShardChoice {
  /** The second street, with the city behind it. */
  readonly second: Split;
}

function meet(place: Place, first: StreetName, locate: Locate): Crossing | 'tie' | undefined {
  const { shard, second } = place;
  const [one, two] = [cornersOf(first, place), cornersOf(second.street, place)];
  const met = [...one].flatMap(([vertex, corner]) => {
    const other = two.get(vertex);
    return other && (first.key !== second.street.key || typeOf(shard, corner) !== typeOf(shard, other))
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
  if (tracts.size > 1 || !isClear) return 'tie';
  const line = [found.corner, found.other].map(({ run }) => shard.streetName(shard.runStreets[run] ?? 0)).join(' & ');
  return { ...position, matchedAddress: joinAddress(shard, line, shard.runZips[found.corner.run] ?? 0), score: best };
}

/** A street does not cross itself: `1st Ave SE` goes on as `1st Ave SW`, and meets `1st St`. */
const typeOf = (shard: AddressShard, { run }: Corner): string => shard.streetType(shard.runStreets[run] ?? 0);

/** The ends of a street's stretches in the place that the address names, by vertex. */
function cornersOf(street: StreetName, { shard, zip: asked, cost: shardCost, second }: Place): Map<string, Corner> {
  const corners = new Map<string, Corner>();
  const name = shard.findName(street.key);
  let seen = 0;
  for (let run = shard.nameRuns[name] ?? 0; run < (shard.nameRuns[name + 1] ?? 0); run++) {
    const zip = shard.runZips[run] ?? 0;
    const row = shard.runStreets[run] ?? 0;
    const zipCost = asked === undefined || asked === zip ? 0 : COST.zipOther;
    const placeCost = shardCost + second.city.cost(zip) + second.restCost(zip) + zipCost;
    const differences = nameCost(street, shard.streetType(row), shard.streetDirections[row] ?? 0);
    const cost = differences + placeCost;
    if (differences > MOST_DIFFERENCES || PERFECT - cost < MATCH_THRESHOLD) continue;
    for (let range = shard.runRanges[run] ?? 0; range < (shard.runRanges[run + 1] ?? 0); range++) {
      if (++seen > MAX_RANGES) return corners;
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
