import { answerInPool } from '../answer-in-pool.js';
import { requireGeneration, requireRow } from '../generation.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type Route } from '../route.js';
import { rankingsSchema } from '../schemas/comparisons.js';
import { BY_GEOID } from './by-geoid.js';

export const rankingsOperation = defineOperation({
  id: 'rankTract',
  tag: 'comparisons',
  summary: 'Where a tract stands in its county, its state and the nation',
  description:
    'Percentile ranks and averages of seven metrics. A percentile is the share of the area’s tracts with a value strictly ' +
    'below; whether high is good or bad depends on the metric. The nation is the states that are loaded, as GET ' +
    '/v1/stats lists them. Other metrics, such as prevalence, have no ranks here: compare the values of the area’s ' +
    'tracts, which GET /v1/tracts/geojson gives.',
  method: 'GET',
  path: '/v1/demographics/compare',
  access: 'key',
  cache: 'response',
  etag: true,
  ...BY_GEOID,
  success: { status: 200, description: 'Ranks and averages.', schema: rankingsSchema },
  example: { query: 'geoid=11001001704' },
});

/** GET /v1/demographics/compare: a tract's ranks and the averages around it (SPEC 4.6). */
export function rankingsRoute(): Route {
  return defineRoute({
    ...rankingsOperation,
    handle: ({ query: { geoid } }, context) => {
      const { tracts } = requireGeneration(context).dataset;
      return answerInPool(context, { kind: 'rankings', row: requireRow(tracts, geoid) });
    },
  });
}
