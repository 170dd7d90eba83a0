import { z } from 'zod';
import { toByteText } from '../../core/byte-text.js';
import {
  type GeocodedAddress,
  type GeocodeOutcome,
  type Geocoder,
  GeocoderUnavailableError,
  geocodeEach,
  isMatch,
} from '../../geocode/geocoder.js';
import { type Fault, faultIn } from '../../geocode/parse/fault.js';
import { isTooLong, MAX_ADDRESS_LENGTH } from '../../geocode/parse/tokens.js';
import { type BatchOutcome, batchBody } from '../../query/context.js';
import { data } from '../answer.js';
import { DETAILS } from '../error-details.js';
import { ApiError } from '../errors.js';
import { type Generation, requireGeneration } from '../generation.js';
import { ADDRESSES_MAX } from '../input/parameters.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type Route } from '../route.js';
import { list } from '../schemas/list.js';
import { batchSchema } from '../schemas/tract.js';

const tooMany = (count: number): string => `Too many addresses: ${count} exceeds max of ${ADDRESSES_MAX}`;

/** Why an address has no tract. None of these texts contains the address. */
const FAILURES = {
  unmatched: 'Address could not be matched.',
  noStreet: 'Address could not be matched: it has no house number with a street behind it.',
  noPlace: 'Address could not be matched: it has neither a ZIP code nor a state.',
  several: 'Address could not be matched: it holds several addresses.',
  empty: 'Address could not be matched: it is empty.',
  tooLong: `Address could not be matched: it has more than ${MAX_ADDRESS_LENGTH} characters.`,
  tie:
    'Address is ambiguous: it matches places in different census tracts. Name the street in full, with its direction ' +
    'and type, and the city, the state or the ZIP code.',
  unplaceable: 'Address cannot be placed: it is a post office box or the like, which has no place on the ground.',
  notLoaded: 'Address could not be matched: no address ranges are loaded for its state or ZIP code.',
  unavailable: DETAILS.geocoderUnavailable,
  outside: DETAILS.noTractThere,
} as const;

export const batchOperation = defineOperation({
  id: 'getContexts',
  tag: 'tracts',
  summary: `The tracts at up to ${ADDRESSES_MAX} addresses`,
  description:
    'Counts as one request. An address that fails gets `status` `error` and the reason in `error`; the ' +
    'others still succeed, even if no geocoder can be reached. The reasons: ' +
    Object.values(FAILURES)
      .map((reason) => `\`${reason}\``)
      .join(' · '),
  method: 'POST',
  path: '/v1/batch',
  access: 'key',
  body: 'json',
  input: z.object({
    body: z
      .object({
        addresses: list(z.string(), {
          least: 1,
          maxItems: ADDRESSES_MAX,
          description: `US street addresses, at most ${ADDRESSES_MAX}, each of at most ${MAX_ADDRESS_LENGTH} characters.`,
        }),
      })
      .meta({ id: 'NewBatch' }),
  }),
  success: { status: 200, description: 'One result per address, in the order given.', schema: batchSchema },
  errors: { 400: [tooMany(ADDRESSES_MAX + 1)] },
  example: {
    body: {
      addresses: ['2581 Specimenstone St, North Modelport, DC 20128', '1 Nowhere Way, North Modelport, DC 20128'],
    },
  },
});

/** POST /v1/batch: the tracts at several addresses (SPEC 4.2). */
export function batchRoute(geocoder: Geocoder): Route {
  return defineRoute({
    ...batchOperation,
    handle: async ({ body: { addresses } }, context) => {
      if (addresses.length > ADDRESSES_MAX) throw new ApiError('bad_request', tooMany(addresses.length));
      const { dataset } = requireGeneration(context);
      const distinct = [...new Set(addresses)].filter((address) => faultOf(address) === undefined);
      const found = await geocodeEach(geocoder, distinct);
      const outcomeOf = new Map(distinct.map((address, at) => [address, found[at]]));
      const outcomes = addresses.map((address) => resolve(dataset, address, outcomeOf.get(address)));
      return data(toByteText(batchBody(outcomes)), { cacheControl: 'no-store' });
    },
  });
}

function resolve(
  { outlines, tracts }: Generation['dataset'],
  address: string,
  outcome: GeocodeOutcome | undefined,
): BatchOutcome {
  const fault = faultOf(address);
  if (fault !== undefined) return { address, location: null, error: fault };
  if (!outcome || !isMatch(outcome)) return { address, location: null, error: failureOf(address, outcome) };
  const row = outlines.locate(outcome);
  if (row < 0) return { address, location: outcome, error: FAILURES.outside };
  return { address, location: outcome, record: tracts.records.text(row) };
}

/** Why a text is not geocoded at all. An empty cell of an export must not fail the rest of the batch. */
function faultOf(address: string): string | undefined {
  if (address.trim() === '') return FAILURES.empty;
  return isTooLong(address) ? FAILURES.tooLong : undefined;
}

const FAILURE_OF: Readonly<Record<Fault, string>> = {
  'no street': FAILURES.noStreet,
  'no place': FAILURES.noPlace,
  several: FAILURES.several,
};

function failureOf(address: string, outcome: Exclude<GeocodeOutcome, GeocodedAddress> | undefined): string {
  if (!outcome || outcome instanceof GeocoderUnavailableError) return FAILURES.unavailable;
  switch (outcome.noMatch) {
    case 'tie':
      return FAILURES.tie;
    case 'cannot be placed':
      return FAILURES.unplaceable;
    case 'not loaded':
      return FAILURES.notLoaded;
    case 'no match': {
      const fault = faultIn(address);
      return fault ? FAILURE_OF[fault] : FAILURES.unmatched;
    }
  }
}
