import { z } from 'zod';
import { data } from '../answer.js';
import { unavailable } from '../errors.js';
import type { RequireGeneration } from '../generation.js';
import { float, integer, latitude, longitude } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';

const query = z.object({
  lat: latitude,
  lng: longitude,
  radius: float(z.number().gt(0).lte(50)).default(5),
  limit: integer(z.number().gte(1).lte(100)).default(25),
  offset: integer(z.number().gte(0).lte(1_000_000)).default(0),
});

/** GET /v1/nearby: the tracts around a point, a page at a time (SPEC 4.3). */
export function nearbyRoute(generation: RequireGeneration): Route {
  return defineRoute({
    method: 'GET',
    path: '/v1/nearby',
    access: 'key',
    input: z.object({ query }),
    handle: async ({ query: { lat, lng, radius, limit, offset } }) => {
      const search = { center: { lat, lng }, radiusMiles: radius, limit, offset };
      const reply = await generation().pool.run({ kind: 'nearby', query: search });
      // The main thread has it open, so this passes: a thread out of file handles or memory.
      if (!reply.ok) throw unavailable('no_dataset', 'The dataset cannot be read just now.');
      return data(reply.body);
    },
  });
}
