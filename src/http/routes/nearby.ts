import { z } from 'zod';
import { answerInPool } from '../answer-in-pool.js';
import { latitude, longitude, pageLimit, pageOffset, RADIUS_MAX_MILES, radiusMiles } from '../input/parameters.js';
import { plainInteger, plainLatitude, plainLongitude, plainNumber } from '../input/plain-parameters.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type RawInput, type Route } from '../route.js';
import { nearbySchema } from '../schemas/tract.js';

const USUAL_RADIUS_MILES = 5;
const [LIMIT_MAX, USUAL_LIMIT] = [100, 25];
const OFFSET_MAX = 1_000_000;

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
      radius: radiusMiles(USUAL_RADIUS_MILES),
      limit: pageLimit(LIMIT_MAX, USUAL_LIMIT),
      offset: pageOffset(OFFSET_MAX),
    }),
  }),
  accept,
  success: { status: 200, description: 'A page of tract summaries.', schema: nearbySchema },
  example: { query: 'lat=38.9072&lng=-77.0369&radius=2&limit=2' },
});

/** GET /v1/nearby: the tracts around a point, a page at a time (SPEC 4.3). */
export function nearbyRoute(): Route {
  return defineRoute({
    ...nearbyOperation,
    handle: ({ query: { lat, lng, radius, limit, offset } }, context) => {
      const query = { center: { lat, lng }, radiusMiles: radius, limit, offset };
      return answerInPool(context, { kind: 'nearby', query });
    },
  });
}

function accept({ query }: RawInput) {
  const [lat, lng] = [plainLatitude(query.lat), plainLongitude(query.lng)];
  const radius = query.radius === undefined ? USUAL_RADIUS_MILES : plainNumber(query.radius, 0, RADIUS_MAX_MILES);
  const limit = plainInteger(query.limit, 1, LIMIT_MAX, USUAL_LIMIT);
  const offset = plainInteger(query.offset, 0, OFFSET_MAX, 0);
  if (lat === undefined || lng === undefined || limit === undefined || offset === undefined) return undefined;
  // The schema refuses a radius of 0.
  return radius ? { query: { lat, lng, radius, limit, offset } } : undefined;
}
