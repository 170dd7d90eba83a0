import { z } from 'zod';
import { answerInPool } from '../answer-in-pool.js';
import { boundingBox, mapLimit } from '../input/parameters.js';
import { GEOJSON_TYPE } from '../media-types.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type Route } from '../route.js';
import { providerFeaturesSchema } from '../schemas/geojson.js';
import { PROVIDER_POSITIONS, providerType } from './providers.js';

export const providersGeojsonOperation = defineOperation({
  id: 'mapProviders',
  tag: 'places',
  summary: 'Healthcare providers in a rectangle, as GeoJSON',
  description:
    'Ordered by NPI. If there are more than `limit`, the collection has `"truncated": true`, and consists of those with the ' +
    `lowest NPIs; there are no further pages, so ask for smaller rectangles. ${PROVIDER_POSITIONS}`,
  method: 'GET',
  path: '/v1/providers/geojson',
  access: 'key',
  cache: 'response',
  etag: true,
  input: z.object({
    query: z.object({ bbox: boundingBox, provider_type: providerType, limit: mapLimit }),
  }),
  success: {
    status: 200,
    description: 'A FeatureCollection of points.',
    contentType: GEOJSON_TYPE,
    schema: providerFeaturesSchema,
  },
  example: { query: 'bbox=-77.05,38.9,-77.03,38.92&provider_type=pcp&limit=1' },
});

/** GET /v1/providers/geojson: providers on a map (SPEC 4.10). */
export function providersGeojsonRoute(): Route {
  return defineRoute({
    ...providersGeojsonOperation,
    handle: ({ query: { bbox, provider_type: type, limit } }, context) => {
      const task = { kind: 'providers-in-box', query: { ...bbox, type, limit } } as const;
      return answerInPool(context, task, GEOJSON_TYPE);
    },
  });
}
