import { z } from 'zod';
import { coverage } from '../../query/coverage.js';
import { dataOf } from '../answer.js';
import { requireGeneration } from '../generation.js';
import { pageLimit, pageOffset } from '../input/parameters.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type Route } from '../route.js';
import { coverageSchema } from '../schemas/reference.js';

export const statsOperation = defineOperation({
  id: 'getCoverage',
  tag: 'reference',
  summary: 'Which states are loaded',
  description: 'The loaded states with their numbers of tracts.',
  method: 'GET',
  path: '/v1/stats',
  access: 'key',
  cache: 'none',
  etag: true,
  input: z.object({ query: z.object({ offset: pageOffset(), limit: pageLimit(200, 60) }) }),
  success: { status: 200, description: 'States by FIPS code.', schema: coverageSchema },
  example: { query: 'limit=2' },
});

/** GET /v1/stats: the loaded states (SPEC 4.9). */
export function statsRoute(): Route {
  return defineRoute({
    ...statsOperation,
    handle: ({ query }, context) => dataOf(coverage(requireGeneration(context).dataset.tracts, query)),
  });
}
