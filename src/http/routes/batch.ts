import { z } from 'zod';
import { type GeocodeResult, type Geocoder, GeocoderUnavailableError, isMatch } from '../../geocode/geocoder.js';
import { type BatchOutcome, batchBody } from '../../query/context.js';
import { data } from '../answer.js';
import { ApiError } from '../errors.js';
import type { Generation, RequireGeneration } from '../generation.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type Route } from '../route.js';
import { batchSchema } from '../schemas/tract.js';

const ADDRESSES_MAX = 50;
const tooMany = (count: number): string => `Too many addresses: ${count} exceeds max of ${ADDRESSES_MAX}`;

/** Why an address has no tract. None of these holds the address. */
const FAILURES = {
  unmatched: 'Address could not be matched.',
  tie: 'Address is ambiguous: it matches places in different census tracts. Add the city, the state or the ZIP code.',
  unavailable: 'Geocoder unavailable.',
  outside: 'No census tract found for this location',
} as const;

export const batchOperation = defineOperation({
  id: 'getContexts',
  tag: 'tracts',
  summary: 'The tracts at up to 50 addresses',
  description:
    'One hit of the rate limit. An address that fails gives an entry with `status` `error` and says why in `error`; the ' +
    'others succeed all the same, even where no geocoder can be reached.',
  method: 'POST',
  path: '/v1/batch',
  access: 'key',
  body: 'json',
  input: z.object({
    body: z.object({
      addresses: z
        .array(z.string().min(1).max(500))
        .min(1)
        .meta({ description: `US street addresses, at most ${ADDRESSES_MAX}.` }),
    }),
  }),
  success: { status: 200, description: 'One result for each address, in their order.', schema: batchSchema },
  errors: { 400: [tooMany(51)] },
  example: {
    body: {
      addresses: ['2581 Specimenstone St, North Modelport, DC 20128', '1 Nowhere Way, North Modelport, DC 20128'],
    },
  },
});

/** POST /v1/batch: the tracts at several addresses (SPEC 4.2). */
export function batchRoute(generation: RequireGeneration, geocoder: Geocoder): Route {
  return defineRoute({
    ...batchOperation,
    handle: async ({ body: { addresses } }) => {
      if (addresses.length > ADDRESSES_MAX) throw new ApiError('bad_request', tooMany(addresses.length));
      const distinct = [...new Set(addresses)];
      const found = await Promise.all(distinct.map((address) => matchOrFailure(geocoder, address)));
      const matches = new Map(distinct.map((address, at) => [address, found[at] ?? FAILURES.unmatched]));
      // Only now, and used at once: while addresses were matched, the dataset may have been replaced.
      const { dataset } = generation();
      const outcomes = addresses.map((address) =>
        resolve(dataset, address, matches.get(address) ?? FAILURES.unmatched),
      );
      return { ...data(batchBody(outcomes)), cacheControl: 'no-store' };
    },
  });
}

type Match = Extract<GeocodeResult, { readonly matchedAddress: string }>;

async function matchOrFailure(geocoder: Geocoder, address: string): Promise<Match | string> {
  try {
    const result = await geocoder.geocode(address);
    if (isMatch(result)) return result;
    return result.noMatch === 'tie' ? FAILURES.tie : FAILURES.unmatched;
  } catch (error) {
    if (error instanceof GeocoderUnavailableError) return FAILURES.unavailable;
    throw error;
  }
}

function resolve({ outlines, tracts }: Generation['dataset'], address: string, match: Match | string): BatchOutcome {
  if (typeof match === 'string') return { address, location: null, error: match };
  const row = outlines.locate(match);
  if (row < 0) return { address, location: match, error: FAILURES.outside };
  return { address, location: match, record: tracts.records.text(row) };
}
