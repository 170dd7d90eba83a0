import { around } from 'geokdbush';
import { distanceMiles, KM_PER_STATUTE_MILE, type LatLng, roundTo } from '../core/coordinates.js';
import { geoidFromNumber } from '../core/geoid.js';
import { COMPARED_METRICS, metricIndex } from '../core/metrics.js';
import type { TractsFile } from '../format/tracts-file.js';

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

/** The body of a nearby answer (SPEC 4.3). */
export interface NearbyAnswer {
  readonly center: LatLng;
  readonly radius_miles: number;
  /** Tracts on this page. */
  readonly count: number;
  /** Tracts within the radius. */
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  readonly tracts: readonly TractSummary[];
}

/** What the search needs of the tracts' file. */
export type SearchableTracts = Pick<TractsFile, 'geoids' | 'lats' | 'lngs' | 'names' | 'pointIndex' | 'values'>;

/** A tract around a point. */
export interface Neighbour {
  readonly row: number;
  readonly distanceMiles: number;
}

/** The KD-tree is asked for a little more than the radius, so that rounding within it loses no tract at the rim. */
const RADIUS_SLACK = 1 + 1e-9;
const RADIUS_SLACK_KM = 1e-6;

const SUMMARY_COLUMNS = COMPARED_METRICS.map((metric) => ({ key: metric.key, column: metricIndex(metric.path) }));

/**
 * The tracts whose internal point lies within the radius, nearest first, ties by GEOID. O(k log n) for k tracts within.
 */
export function nearby(tracts: SearchableTracts, query: NearbyQuery): NearbyAnswer {
  const { center, radiusMiles, limit, offset } = query;
  const within = neighbours(tracts, center, radiusMiles);
  const page = within.slice(offset, offset + limit);
  return {
    center: { lat: center.lat, lng: center.lng },
    radius_miles: radiusMiles,
    count: page.length,
    total: within.length,
    offset,
    limit,
    tracts: page.map((neighbour) => summarize(tracts, neighbour)),
  };
}

/** The rows whose internal point lies within the radius, nearest first, ties by GEOID. */
export function neighbours(
  tracts: Pick<SearchableTracts, 'lats' | 'lngs' | 'pointIndex'>,
  center: LatLng,
  radiusMiles: number,
): Neighbour[] {
  const radiusKm = radiusMiles * KM_PER_STATUTE_MILE * RADIUS_SLACK + RADIUS_SLACK_KM;
  const rows = around(tracts.pointIndex, center.lng, center.lat, Number.POSITIVE_INFINITY, radiusKm);
  return (
    rows
      .map((row) => ({ row, distanceMiles: distanceMiles(center, internalPoint(tracts, row)) }))
      .filter((neighbour) => neighbour.distanceMiles <= radiusMiles)
      // Rows ascend by GEOID.
      .sort((a, b) => a.distanceMiles - b.distanceMiles || a.row - b.row)
  );
}

function internalPoint(tracts: Pick<SearchableTracts, 'lats' | 'lngs'>, row: number): LatLng {
  return { lat: tracts.lats[row] ?? Number.NaN, lng: tracts.lngs[row] ?? Number.NaN };
}

function summarize(tracts: SearchableTracts, { row, distanceMiles }: Neighbour): TractSummary {
  const metrics = SUMMARY_COLUMNS.map(({ key, column }) => [key, tracts.values[column]?.[row]] as const);
  return {
    geoid: geoidFromNumber(tracts.geoids[row] ?? Number.NaN),
    name: tracts.names.text(row),
    distance_miles: roundTo(distanceMiles, 2),
    ...Object.fromEntries(
      metrics.map(([key, value]) => [key, value === undefined || Number.isNaN(value) ? null : value]),
    ),
  };
}
