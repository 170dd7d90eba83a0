import { z } from 'zod';
import type { RequireGeneration } from '../generation.js';
import { answerInPool } from '../lookup.js';
import { defineOperation } from '../operation.js';
import { latitude, longitude, pageLimit, pageOffset, radiusMiles } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';
import { nearbySchema } from '../schemas/tract.js';

export const nearbyOperation = defineOperation({
  id: 'listNearbyTracts',
  tag: 'tracts',
  summary: 'Tracts around a point',
  description: 'The tracts whose internal point lies within a radius, nearest first, a page at a time.',
  method: 'GET',
  path: '/v1/nearby',
  access: 'key',
  cache: 'response',
  etag: true,
  input: z.object({
    query: z.object({
      lat: latitude,
      lng: longitude,
      radius: radiusMiles(5),
      limit: pageLimit(100, 25),
      offset: pageOffset(1_000_000),
    }),
  }),
  success: { status: 200, description: 'A page of tract summaries.', schema: nearbySchema },
  example: { query: 'lat=38.9072&lng=-77.0369&radius=2&limit=2' },
});

/** GET /v1/nearby: the tracts around a point, a page at a time (SPEC 4.3). */
export function nearbyRoute(generation: RequireGeneration): Route {
  return defineRoute({
    ...nearbyOperation,
    handle: ({ query: { lat, lng, radius, limit, offset } }) =>
      answerInPool(generation(), {
        kind: 'nearby',
        query: { center: { lat, lng }, radiusMiles: radius, limit, offset },
      }),
  });
}
