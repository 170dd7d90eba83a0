import { z } from 'zod';
import { PROVIDER_FILTERS } from '../../core/provider-types.js';
import { answerInPool } from '../answer-in-pool.js';
import { geoid, latitude, longitude, pageLimit, pageOffset, radiusMiles, requirePlace } from '../input/parameters.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type Route } from '../route.js';
import { providersSchema } from '../schemas/providers.js';

/** Where `lat` and `lng` come from. */
export const PROVIDER_POSITIONS =
  'The registry has addresses but no coordinates: a provider whose address could not be placed is at the center of its ' +
  'ZIP, so that its distance and tract are approximate.';

export const providerType = z
  .enum(PROVIDER_FILTERS)
  .meta({
    description:
      'Only providers of this kind, by their primary taxonomy: pcp is a clinician in primary care, the others are clinics ' +
      'and centers. Organizations that HRSA lists are fqhc, and those that CMS lists rural_health_clinic, whatever their ' +
      'taxonomy. Pharmacies, hospitals, dentists and most specialists have no kind; they are in `all` only if the dataset ' +
      'was compiled with every taxonomy.',
  })
  .default('all');

const query = z
  .object({
    lat: latitude.optional(),
    lng: longitude.optional(),
    radius: radiusMiles(5),
    tract_fips: geoid.optional(),
    provider_type: providerType,
    limit: pageLimit(500, 50),
    offset: pageOffset(),
  })
  .superRefine((place, context) =>
    requirePlace(context, place, place.tract_fips, "provide both 'lat' and 'lng', or 'tract_fips'"),
  );

export const providersOperation = defineOperation({
  id: 'listProviders',
  tag: 'places',
  summary: 'Healthcare providers around a point or in a tract',
  description:
    'Give `lat` and `lng`, or `tract_fips`; if both are given, the point wins. Around a point, the nearest come first; in ' +
    'a tract, they are ordered by NPI. A tract that is not loaded has no providers, and is no error. ' +
    PROVIDER_POSITIONS,
  method: 'GET',
  path: '/v1/providers',
  access: 'key',
  cache: 'response',
  etag: true,
  input: z.object({ query }),
  success: { status: 200, description: 'A page of providers.', schema: providersSchema },
  example: { query: 'lat=38.9072&lng=-77.0369&radius=2&provider_type=pcp&limit=2' },
});

/** GET /v1/providers: a search by point or by tract (SPEC 4.11). */
export function providersRoute(): Route {
  return defineRoute({
    ...providersOperation,
    handle: ({ query: { lat, lng, radius, tract_fips, provider_type: type, limit, offset } }, context) => {
      const page = { type, limit, offset };
      if (lat !== undefined && lng !== undefined) {
        const query = { ...page, center: { lat, lng }, radiusMiles: radius };
        return answerInPool(context, { kind: 'providers-near', query });
      }
      if (tract_fips === undefined) throw new Error('a search without a place passed the schema');
      const query = { ...page, geoid: tract_fips };
      return answerInPool(context, { kind: 'providers-in-tract', query });
    },
  });
}
