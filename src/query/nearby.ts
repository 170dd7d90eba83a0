import type { LatLng } from '../core/coordinates.js';
import { geoidFromNumber } from '../core/geoid.js';
import { roundTo } from '../core/rounding.js';
import type { TractsFile } from '../format/tracts-file.js';
import { COMPARED_COLUMNS, comparedValue } from './areas.js';
import { type PointsWithin, pointsWithin } from './around/points-within.js';
import type { Neighbour } from './around/sort-neighbours.js';
import { type Allocate, allocateAlone, COMMA, createBodyWriter } from './body-writer.js';
import { hundredthsLength } from './hundredths.js';

/** A page of the tracts around a point. */
export interface NearbyQuery {
  readonly center: LatLng;
  readonly radiusMiles: number;
  readonly limit: number;
  readonly offset: number;
}

/** A tract summary (SPEC 2.6): identity, distance, and the compared metrics; what is unknown is null. */
export interface TractSummary {
  readonly geoid: string;
  readonly name: string;
  /** Statute miles from the centre to the internal point, two decimals. */
  readonly distance_miles: number;
  readonly [metric: string]: string | number | null;
}

/** The body of a nearby answer (SPEC 4.3) without its tracts. */
interface NearbyEnvelope {
  readonly center: LatLng;
  readonly radius_miles: number;
  /** Tracts on this page. */
  readonly count: number;
  /** Tracts within the radius. */
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
}

/** The body of a nearby answer (SPEC 4.3). */
export interface NearbyAnswer extends NearbyEnvelope {
  readonly tracts: readonly TractSummary[];
}

/** The tracts' internal points, and the KD-tree over them. */
export type TractPoints = Pick<TractsFile, 'lats' | 'lngs' | 'pointIndex'>;

/** What the search needs of the tracts' file. */
export type SearchableTracts = TractPoints & Pick<TractsFile, 'geoids' | 'names' | 'values'>;

/**
 * The tracts whose internal point lies within the radius, nearest first, ties by GEOID.
 */
export function nearby(tracts: SearchableTracts, query: NearbyQuery): NearbyAnswer {
  const found = search(tracts, query);
  return { ...envelope(query, found), tracts: found.page.map((neighbour) => summarize(tracts, neighbour)) };
}

const LIST_END = ']}';

/**
 * What {@link nearby} gives, as UTF-8 JSON, byte for byte what `JSON.stringify` would make of it. It is put together from
 * summaries that the file holds, in a fifth of the time.
 */
export function nearbyBody(
  tracts: TractPoints & Pick<TractsFile, 'summaries'>,
  query: NearbyQuery,
  allocate: Allocate = allocateAlone,
): Uint8Array {
  const found = search(tracts, query);
  const head = `${JSON.stringify(envelope(query, found)).slice(0, -1)},"tracts":[`;
  const { offsets, bytes, distanceAt } = tracts.summaries;
  let size = head.length + Math.max(0, found.page.length - 1) + LIST_END.length;
  for (const { row, hundredths } of found.page) {
    size += (offsets[row + 1] ?? 0) - (offsets[row] ?? 0) + hundredthsLength(hundredths);
  }
  const body = createBodyWriter(size, allocate);
  body.ascii(head);
  found.page.forEach(({ row, hundredths }, at) => {
    if (at > 0) body.character(COMMA);
    const first = offsets[row] ?? 0;
    const middle = first + (distanceAt[row] ?? 0);
    body.bytes(bytes.subarray(first, middle));
    body.hundredths(hundredths);
    body.bytes(bytes.subarray(middle, offsets[row + 1]));
  });
  body.ascii(LIST_END);
  return body.finish();
}

/** The rows whose internal point lies within the radius, nearest first, ties by GEOID. */
export function neighbours(tracts: TractPoints, center: LatLng, radiusMiles: number): readonly Neighbour[] {
  return search(tracts, { center, radiusMiles, limit: tracts.lats.length, offset: 0 }).page;
}

/** Rows ascend by GEOID. */
function search({ lats, lngs, pointIndex }: TractPoints, query: NearbyQuery): PointsWithin {
  return pointsWithin({ lats, lngs, trees: [{ index: pointIndex }] }, query);
}

function envelope({ center, radiusMiles, limit, offset }: NearbyQuery, { total, page }: PointsWithin): NearbyEnvelope {
  const { lat, lng } = center;
  return { center: { lat, lng }, radius_miles: radiusMiles, count: page.length, total, offset, limit };
}

function summarize(tracts: SearchableTracts, { row, distanceMiles }: Neighbour): TractSummary {
  const metrics = COMPARED_COLUMNS.map(({ key }, metricAt) => [key, comparedValue(tracts, row, metricAt)] as const);
  return {
    geoid: geoidFromNumber(tracts.geoids[row] ?? Number.NaN),
    name: tracts.names.text(row),
    distance_miles: roundTo(distanceMiles, 2),
    ...Object.fromEntries(metrics),
  };
}
