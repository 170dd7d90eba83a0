import { z } from 'zod';
import { type Geocoder, GeocoderUnavailableError, isMatch } from '../../geocode/geocoder.js';
import { contextBody, type MatchedLocation } from '../../query/context.js';
import { data } from '../answer.js';
import { ApiError } from '../errors.js';
import type { RequireGeneration } from '../generation.js';
import { boolean, latitude, longitude } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';

const query = z.object({
  address: z.string().min(1).max(500).optional(),
  lat: latitude.optional(),
  lng: longitude.optional(),
  narrative: boolean().default(false),
});

/** GET /v1/context: the tract at an address or a point (SPEC 4.1). */
export function contextRoute(generation: RequireGeneration, geocoder: Geocoder): Route {
  return defineRoute({
    method: 'GET',
    path: '/v1/context',
    access: 'key',
    input: z.object({ query }),
    handle: ({ query: { address, lat, lng } }) => {
      if (address !== undefined) return matchAddress(geocoder, address).then(at);
      if (lat === undefined || lng === undefined) {
        throw new ApiError('bad_request', "Provide either 'address' or both 'lat' and 'lng'.");
      }
      return at({ lat, lng, matchedAddress: `${lat},${lng}` });
    },
  });

  function at(location: MatchedLocation) {
    const body = contextBody(generation().dataset, location);
    if (!body) throw nothingThere();
    return data(body);
  }
}

async function matchAddress(geocoder: Geocoder, address: string): Promise<MatchedLocation> {
  try {
    const match = await geocoder.geocode(address);
    if (isMatch(match)) return match;
  } catch (error) {
    if (error instanceof GeocoderUnavailableError) throw new ApiError('geocoder_unavailable', 'Geocoder unavailable.');
    throw error;
  }
  throw nothingThere();
}

function nothingThere(): ApiError {
  return new ApiError('not_found', 'No census tract found for this location');
}
