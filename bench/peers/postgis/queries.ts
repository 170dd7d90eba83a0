import type pg from 'pg';
import { COMPARED_METRICS } from '../../../src/core/metrics.js';

/**
 * Metres on PostGIS's sphere, whose radius is (2a + b) / 3 = 6,371,008.7714 m, that correspond to a mile on the service's
 * sphere, whose radius is 6,371,000 m.
 */
const METERS_PER_MILE = 1609.344 * (6_371_008.7714 / 6_371_000);
const KEYS = COMPARED_METRICS.map(({ key }) => key);
const SCOPES = ['county', 'state', 'national'] as const;

/** The service's answers, each computed by one prepared statement. The Earth is a sphere, as in the service. */
export interface Queries {
  nearby(query: { lat: number; lng: number; radius: number; limit: number; offset: number }): Promise<unknown>;
  /** The answer as JSON text around the stored record; undefined if there is no tract at the point. */
  context(lat: number, lng: number): Promise<string | undefined>;
  /** Undefined if there is no such tract. */
  rankings(geoid: string): Promise<unknown>;
}

const CENTER = 'ST_SetSRID(ST_MakePoint($2, $1), 4326)::geography';
const NEARBY = `
  SELECT geoid, name, round(ST_Distance(point, ${CENTER}, false) / ${METERS_PER_MILE} * 100) / 100 AS distance_miles,
    ${KEYS.join(', ')}, count(*) OVER () AS total
  FROM tracts WHERE ST_DWithin(point, ${CENTER}, $3, false)
  ORDER BY distance_miles, geoid LIMIT $4 OFFSET $5`;

const CONTEXT = `
  SELECT record FROM outlines JOIN records USING (geoid)
  WHERE ST_Intersects(outline, ST_SetSRID(ST_MakePoint($2, $1), 4326)) ORDER BY geoid LIMIT 1`;

const areaOf = (name: string, condition: string): string => {
  const columns = KEYS.map(
    (key) => `avg(t.${key}) AS ${key}_avg, count(t.${key}) AS ${key}_count,
      count(*) FILTER (WHERE t.${key} < self.${key}) AS ${key}_below`,
  );
  return `${name} AS (SELECT ${columns.join(', ')} FROM tracts t, self WHERE ${condition})`;
};
const RANKINGS = `
  WITH self AS (SELECT * FROM tracts WHERE geoid = $1),
    ${areaOf('county', 't.state_fips = self.state_fips AND t.county_fips = self.county_fips')},
    ${areaOf('state', 't.state_fips = self.state_fips')},
    ${areaOf('national', 'true')}
  SELECT to_json(self) AS self, to_json(county) AS county, to_json(state) AS state, to_json(national) AS national
  FROM self, county, state, national`;

type Numbers = Readonly<Record<string, number | null>>;
interface AreaRow {
  readonly self: Numbers & { readonly geoid: string; readonly name: string; state_fips: string; county_fips: string };
  readonly county: Numbers;
  readonly state: Numbers;
  readonly national: Numbers;
}

export function createQueries(pool: pg.Pool): Queries {
  return {
    nearby: async ({ lat, lng, radius, limit, offset }) => {
      const values = [lat, lng, radius * METERS_PER_MILE, limit, offset];
      const { rows } = await pool.query({ name: 'nearby', text: NEARBY, values });
      const total = Number(rows[0]?.total ?? 0);
      const tracts = rows.map(({ total: _, ...row }) => ({ ...row, distance_miles: rounded(row.distance_miles, 2) }));
      return { center: { lat, lng }, radius_miles: radius, count: tracts.length, total, offset, limit, tracts };
    },
    context: async (lat, lng) => {
      const { rows } = await pool.query<{ record: string }>({ name: 'context', text: CONTEXT, values: [lat, lng] });
      const record = rows[0]?.record;
      if (record === undefined) return undefined;
      const location = JSON.stringify({ lat, lng, matched_address: `${lat},${lng}` });
      return `{"location":${location},"tract":${record},"narrative":null}`;
    },
    rankings: async (geoid) => {
      const { rows } = await pool.query<AreaRow>({ name: 'rankings', text: RANKINGS, values: [geoid] });
      return rows[0] && rankingsBody(rows[0]);
    },
  };
}

function rankingsBody(row: AreaRow): unknown {
  const { geoid, name, state_fips, county_fips } = row.self;
  const percentile = (area: Numbers, key: string): number | null => {
    const count = area[`${key}_count`] ?? 0;
    if (row.self[key] === null || count === 0) return null;
    return rounded(((area[`${key}_below`] ?? 0) / count) * 100, 1);
  };
  const average = (area: Numbers, key: string): number | null => rounded(area[`${key}_avg`] ?? null, 4);
  const ofScopes = (suffix: string, of: (area: Numbers) => number | null): Numbers =>
    Object.fromEntries(SCOPES.map((scope) => [`${scope}_${suffix}`, of(row[scope])]));
  return {
    geoid,
    name,
    state_fips,
    county_fips,
    rankings: KEYS.map((key) => ({
      metric: key,
      value: row.self[key] ?? null,
      ...ofScopes('percentile', (area) => percentile(area, key)),
    })),
    averages: KEYS.map((key) => ({
      metric: key,
      tract_value: row.self[key] ?? null,
      ...ofScopes('avg', (area) => average(area, key)),
    })),
  };
}

function rounded<T extends number | null>(value: T, decimals: number): T | number {
  return value === null ? value : Math.round(value * 10 ** decimals) / 10 ** decimals;
}
