import { z } from 'zod';
import { trends } from '../../query/trends.js';
import { data } from '../answer.js';
import type { RequireGeneration } from '../generation.js';
import { requireRow } from '../lookup.js';
import { defineOperation } from '../operation.js';
import { geoid } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';
import { trendsSchema } from '../schemas/comparisons.js';

export const trendsOperation = defineOperation({
  id: 'getTrends',
  tag: 'comparisons',
  summary: 'A tract’s demographics year by year',
  description:
    'Every loaded year, and the change between the earliest and the latest year that have a value. Five-year estimates of ' +
    'neighboring years share most of their answers: compare years that are five apart.',
  method: 'GET',
  path: '/v1/trends',
  access: 'key',
  cache: 'response',
  etag: true,
  input: z.object({ query: z.object({ geoid }) }),
  success: { status: 200, description: 'Years and changes.', schema: trendsSchema },
  errors: { 404: ['Tract 99999999999 not found.'] },
  example: { query: 'geoid=11001001704' },
});

/** GET /v1/trends: a tract's demographics year by year (SPEC 4.5). */
export function trendsRoute(generation: RequireGeneration): Route {
  return defineRoute({
    ...trendsOperation,
    handle: ({ query: { geoid } }) => {
      const { tracts } = generation().dataset;
      return data(JSON.stringify(trends(tracts, requireRow(tracts, geoid))));
    },
  });
}
