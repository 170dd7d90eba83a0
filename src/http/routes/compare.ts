import { z } from 'zod';
import { SCOPES, type Scope } from '../../core/scopes.js';
import { compareToAverage, compareTracts } from '../../query/compare.js';
import { data } from '../answer.js';
import { ApiError } from '../errors.js';
import { requireGeneration, requireRow } from '../generation.js';
import { geoid } from '../input/parameters.js';
import { plainGeoid } from '../input/plain-parameters.js';
import { defineOperation, TRACT_ABSENT } from '../operation.js';
import { defineRoute, type RawInput, type Route } from '../route.js';
import { comparisonSchema } from '../schemas/comparisons.js';

const BOTH_GIVEN = "Provide either 'geoid2' or 'compare_to', not both.";
const NEITHER_GIVEN = "Provide either 'geoid2' or 'compare_to'.";
const WRONG_SCOPE = "'compare_to' must be 'county', 'state', or 'national'.";

export const compareOperation = defineOperation({
  id: 'compareTracts',
  tag: 'comparisons',
  summary: 'Compare a tract with another tract or an average',
  description:
    'Returns both sides and a − b, for seven metrics. Give exactly one of `geoid2` and `compare_to`; the average is the ' +
    'plain mean over the tracts of the county, the state or the nation that have the value. The nation is the states that ' +
    'are loaded, as GET /v1/stats lists them.',
  method: 'GET',
  path: '/v1/compare',
  access: 'key',
  cache: 'response',
  etag: true,
  input: z.object({
    query: z.object({
      geoid1: geoid,
      geoid2: geoid.optional(),
      compare_to: z
        .string()
        .meta({ enum: [...SCOPES], description: 'The area whose average becomes side b.' })
        .optional(),
    }),
  }),
  accept,
  success: { status: 200, description: 'Both sides and their differences.', schema: comparisonSchema },
  errors: { 400: [BOTH_GIVEN, NEITHER_GIVEN, WRONG_SCOPE], 404: TRACT_ABSENT },
  example: { query: 'geoid1=11001001704&compare_to=state' },
});

/** GET /v1/compare: two tracts, or a tract and an average (SPEC 4.4). */
export function compareRoute(): Route {
  return defineRoute({
    ...compareOperation,
    handle: ({ query: { geoid1, geoid2, compare_to } }, context) => {
      if (geoid2 !== undefined && compare_to !== undefined) throw new ApiError('bad_request', BOTH_GIVEN);
      const scope = compare_to === undefined ? undefined : parseScope(compare_to);
      if (geoid2 !== undefined) {
        const { tracts } = requireGeneration(context).dataset;
        return data(compareTracts(tracts, requireRow(tracts, geoid1), requireRow(tracts, geoid2)));
      }
      if (scope === undefined) throw new ApiError('bad_request', NEITHER_GIVEN);
      const { tracts } = requireGeneration(context).dataset;
      return data(compareToAverage(tracts, requireRow(tracts, geoid1), scope));
    },
  });
}

function accept({ query }: RawInput) {
  const { compare_to } = query;
  const geoid1 = plainGeoid(query.geoid1);
  const geoid2 = plainGeoid(query.geoid2);
  if (!geoid1 || (query.geoid2 !== undefined && !geoid2)) return undefined;
  if (compare_to !== undefined && typeof compare_to !== 'string') return undefined;
  return { query: { geoid1, ...(geoid2 && { geoid2 }), ...(compare_to !== undefined && { compare_to }) } };
}

function parseScope(text: string): Scope {
  const scope = SCOPES.find((name) => name === text);
  if (!scope) throw new ApiError('bad_request', WRONG_SCOPE);
  return scope;
}
