import { z } from 'zod';
import { decimal } from '../../core/decimal.js';
import { type Geocoder, GeocoderUnavailableError, isMatch } from '../../geocode/geocoder.js';
import { MAX_ADDRESS_LENGTH } from '../../geocode/parse/tokens.js';
import { tractFacts } from '../../narrative/facts.js';
import type { Narrator } from '../../narrative/narrator.js';
import { contextBody, type MatchedLocation } from '../../query/context.js';
import { type Answer, data } from '../answer.js';
import { DETAILS } from '../error-details.js';
import { ApiError } from '../errors.js';
import { requireGeneration } from '../generation.js';
import { boolean, latitude, longitude } from '../input/parameters.js';
import { plainLatitude, plainLongitude, plainText } from '../input/plain-parameters.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type Route, type RouteContext } from '../route.js';
import { contextSchema } from '../schemas/tract.js';

const PLACE_MISSING = "Provide either 'address' or both 'lat' and 'lng'.";
const ABSENT = {
  description: 'The address cannot be matched, or no loaded tract contains the location.',
  details: [DETAILS.noTractThere],
} as const;

export const contextOperation = defineOperation({
  id: 'getContext',
  tag: 'tracts',
  summary: 'The tract at an address or a point',
  description:
    'Give `address`, or both `lat` and `lng`; if both are given, the address wins. Why an address is not matched, POST ' +
    '/v1/batch says. Addresses are never logged or written to disk.',
  method: 'GET',
  path: '/v1/context',
  access: 'key',
  cache: 'none',
  etag: true,
  input: z.object({
    query: z.object({
      address: z
        .string()
        .min(1)
        .max(MAX_ADDRESS_LENGTH)
        .meta({
          description:
            'A US street address on one line: house number and street, or two streets that meet (`Main St & 1st Ave`), ' +
            'and the city and state or the ZIP code.',
        })
        .optional(),
      lat: latitude.optional(),
      lng: longitude.optional(),
      narrative: boolean().meta({ description: 'Whether to write a clinical summary.' }).default(false),
    }),
  }),
  accept: ({ query }) => {
    if (query.narrative !== undefined) return undefined;
    if (query.address !== undefined) {
      const address = plainText(query.address, MAX_ADDRESS_LENGTH);
      const alone = query.lat === undefined && query.lng === undefined;
      return alone && address !== undefined ? { query: { address, narrative: false } } : undefined;
    }
    const [lat, lng] = [plainLatitude(query.lat), plainLongitude(query.lng)];
    return lat !== undefined && lng !== undefined ? { query: { lat, lng, narrative: false } } : undefined;
  },
  success: { status: 200, description: 'The location and its tract.', schema: contextSchema },
  errors: { 400: [PLACE_MISSING], 404: ABSENT, 502: [DETAILS.geocoderUnavailable] },
  example: { query: 'lat=38.9072&lng=-77.0369&narrative=true' },
});

/** What decides how the answer may be kept. */
interface ContextQuery {
  readonly address?: string | undefined;
  readonly narrative: boolean;
}

/** GET /v1/context: the tract at an address or a point (SPEC 4.1). */
export function contextRoute(geocoder: Geocoder, narrator: Pick<Narrator, 'summarize'>): Route {
  return defineRoute({
    ...contextOperation,
    // A narrative may be written anew each time, and an external geocoder's answer for an address may change.
    etag: ({ query: { address, narrative } }) => !narrative && !(geocoder.asksOthers && address !== undefined),
    cacheControl: ({ query }) => cacheControlOf(query),
    handle: ({ query: { address, lat, lng, narrative } }, context) => {
      if (address !== undefined) {
        // Checked first, so that no address is sent to an external geocoder when there is no dataset to answer from.
        requireGeneration(context);
        return matchAddress(geocoder, address).then((location) => {
          return at(context, location, { address, narrative });
        });
      }
      if (lat === undefined || lng === undefined) throw new ApiError('bad_request', PLACE_MISSING);
      return at(context, { lat, lng, matchedAddress: `${decimal(lat)},${decimal(lng)}` }, { narrative });
    },
  });

  function at(context: RouteContext, location: MatchedLocation, query: ContextQuery): Answer | Promise<Answer> {
    const { dataset } = requireGeneration(context);
    const row = dataset.outlines.locate(location);
    if (row < 0) throw new ApiError('not_found', DETAILS.noTractThere);
    const record = dataset.tracts.records.byteText(row);
    const answer = (text: string | null): Answer =>
      data(contextBody(location, record, text), { cacheControl: cacheControlOf(query) });
    if (!query.narrative) return answer(null);
    // Of the record alone: nothing of the request goes into it. The facts are copies, as the dataset may be closed meanwhile.
    return narrator.summarize(tractFacts(dataset, row)).then(answer);
  }
}

/** A client's cache would write the URL, and with it a patient's address, to its disk. A narrative may be another next time. */
function cacheControlOf({ address, narrative }: ContextQuery): Answer['cacheControl'] {
  return address !== undefined || narrative ? 'no-store' : 'private';
}

async function matchAddress(geocoder: Geocoder, address: string): Promise<MatchedLocation> {
  try {
    const match = await geocoder.geocode(address);
    if (isMatch(match)) return match;
  } catch (error) {
    if (error instanceof GeocoderUnavailableError)
      throw new ApiError('geocoder_unavailable', DETAILS.geocoderUnavailable);
    throw error;
  }
  throw new ApiError('not_found', DETAILS.noTractThere);
}
