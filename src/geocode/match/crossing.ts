import type { LatLng } from '../../core/coordinates.js';
import { MICRO_PER_DEGREE } from '../../core/street-line.js';
import { parseStreetName, type StreetName } from '../../core/street-name.js';
import { type AddressShard, NO_TRACT } from '../../format/addresses/shard.js';
import type { CrossingReading } from '../parse/parse-address.js';
import { fitCity } from './city-fit.js';
import { joinAddress, type Locate } from './place.js';
import { COST, MATCH_THRESHOLD, nameCost, PERFECT } from './scores.js';
import type { ShardChoice } from './shards-for.js';

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

/** Streets with more ranges than this are looked at no further. */
const MAX_RANGES = 20_000;

/**
 * The place where two streets meet, by a vertex at which stretches of both end. A corner may be in up to four tracts: it is
 * a match where all sides that meet there are in one tract, else a tie. Undefined where the streets do not meet.
 */
export function matchCrossing(
  crossing: CrossingReading,
  { shard, zip: believed, cost }: ShardChoice,
  locate: Locate,
): Crossing | 'tie' | undefined {
  const reading = { ...crossing, zip: believed };
  const [one, two] = reading.streets.map((words) => cornersOf(parseStreetName(words), reading, shard, cost));
  if (!one || !two) return undefined;
  const met = [...one].flatMap(([vertex, corner]) => {
    const other = two.get(vertex);
    return other ? [{ vertex, corner, other, score: Math.min(corner.score, other.score) }] : [];
  });
  const best = Math.max(...met.map(({ score }) => score));
  const [first, ...others] = met.filter(({ score }) => score === best && score >= MATCH_THRESHOLD);
  if (!first) return undefined;
  const tracts = new Set([first, ...others].flatMap(({ corner, other }) => [...corner.tracts, ...other.tracts]));
  const position = pointOf(first.vertex);
  const [tract = NO_TRACT] = tracts;
  const isClear = tract === NO_TRACT ? others.length === 0 : locate(position) === tract;
  if (tracts.size > 1 || !isClear) return 'tie';
  const line = [first.corner, first.other].map(({ run }) => shard.streetName(shard.runStreets[run] ?? 0)).join(' & ');
  return { ...position, matchedAddress: joinAddress(shard, line, shard.runZips[first.corner.run] ?? 0), score: best };
}

/** The ends of a street's stretches in the place that the address names, by vertex. */
function cornersOf(
  street: StreetName | undefined,
  reading: CrossingReading,
  shard: AddressShard,
  shardCost: number,
): Map<string, Corner> {
  const corners = new Map<string, Corner>();
  const name = street ? shard.findName(street.key) : -1;
  if (!street || name < 0) return corners;
  const fit = fitCity(shard, reading.city, reading.zip);
  let seen = 0;
  for (let run = shard.nameRuns[name] ?? 0; run < (shard.nameRuns[name + 1] ?? 0); run++) {
    const zip = shard.runZips[run] ?? 0;
    const row = shard.runStreets[run] ?? 0;
    const zipCost = reading.zip === undefined || reading.zip === zip ? 0 : COST.zipOther;
    const placeCost = shardCost + fit.cost(zip) + zipCost;
    const cost = nameCost(street, shard.streetType(row), shard.streetDirections[row] ?? 0) + placeCost;
    if (PERFECT - cost < MATCH_THRESHOLD) continue;
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
