import { z } from 'zod';
import type { TractSelection } from '../../query/tract-geojson.js';
import { answerInPool } from '../answer-in-pool.js';
import { float, latitude, longitude, mapLimit, radiusMiles, requirePlace, stateFips } from '../input/parameters.js';
import { GEOJSON_TYPE } from '../media-types.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type Route } from '../route.js';
import { tractFeaturesSchema } from '../schemas/geojson.js';

const query = z
  .object({
    state_fips: stateFips.meta({ description: 'All tracts of a state, by two-digit FIPS code.' }).optional(),
    lat: latitude.optional(),
    lng: longitude.optional(),
    radius: radiusMiles(10),
    simplify: float(z.number().gte(0).lte(0.01))
      .meta({
        description:
          'Simplification tolerance in degrees; neighboring tracts keep their shared borders. Borders closer to each other ' +
          'than the tolerance may cross, so repair simplified outlines before computing with them.',
      })
      .default(0),
    limit: mapLimit,
  })
  .superRefine((place, context) =>
    requirePlace(context, place, place.state_fips, "provide 'state_fips', or both 'lat' and 'lng'"),
  );

export const tractsGeojsonOperation = defineOperation({
  id: 'mapTracts',
  tag: 'places',
  summary: 'Tract outlines, as GeoJSON',
  description:
    'Give `state_fips`, or `lat` and `lng` with `radius` for the tracts whose internal point lies within it; if both are ' +
    'given, the point wins. Ordered by GEOID. If there are more than `limit`, the collection has `"truncated": true`, and ' +
    'consists of the first tracts of the state by GEOID, or of those nearest to the point. There are no further pages: ' +
    'some states have more than 2,000 tracts, and are drawn whole by several searches around points; a rectangle, by one ' +
    'around its center that reaches beyond its corners. A state that is not loaded has no tracts, and is no error. Outlines ' +
    'are as their source has them; some cartographic boundaries touch or cross themselves, so check outlines before ' +
    'computing with them.',
  method: 'GET',
  path: '/v1/tracts/geojson',
  access: 'key',
  cache: 'response',
  etag: true,
  input: z.object({ query }),
  success: {
    status: 200,
    description: 'A FeatureCollection of polygons.',
    contentType: GEOJSON_TYPE,
    schema: tractFeaturesSchema,
  },
  example: { query: 'lat=38.9072&lng=-77.0369&radius=1&simplify=0.01&limit=1' },
});

/** GET /v1/tracts/geojson: tract outlines for maps. */
export function tractsGeojsonRoute(): Route {
  return defineRoute({
    ...tractsGeojsonOperation,
    handle: ({ query: { state_fips, lat, lng, radius, simplify, limit } }, context) => {
      const selection = selectionOf(lat, lng, radius, state_fips);
      const task = { kind: 'tract-features', query: { selection, simplifyDegrees: simplify, limit } } as const;
      return answerInPool(context, task, GEOJSON_TYPE);
    },
  });
}

/** If both are given, the point wins over the state. The schema guarantees at least one of them. */
function selectionOf(
  lat: number | undefined,
  lng: number | undefined,
  radiusMiles: number,
  stateFips: string | undefined,
): TractSelection {
  if (lat !== undefined && lng !== undefined) return { center: { lat, lng }, radiusMiles };
  if (stateFips === undefined) throw new Error('a map without a place passed the schema');
  return { stateFips };
}
