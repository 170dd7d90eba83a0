import { answerInPool } from '../answer-in-pool.js';
import { requireGeneration, requireRow } from '../generation.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type Route } from '../route.js';
import { trendsSchema } from '../schemas/comparisons.js';
import { BY_GEOID } from './by-geoid.js';

export const trendsOperation = defineOperation({
  id: 'getTrends',
  tag: 'comparisons',
  summary: 'A tract’s demographics year by year',
  description:
    'Every loaded year with a value for the tract, always including the current one (the newest of which the tract’s ' +
    'state has demographics), and the change between the earliest and the latest year with a value. Five-year ' +
    'estimates of neighboring years share most of their survey answers: compare years that are five apart. A metric ' +
    'that the current year has no survey of is unknown there, although the record may have it of an earlier year. ' +
    'Incomes are in dollars of the year that they stand under, so that their change includes inflation. Where no ' +
    'survey gives the tract’s population, that of the current year is the count of the 2020 census, as in the ' +
    'tract’s record.',
  method: 'GET',
  path: '/v1/trends',
  access: 'key',
  cache: 'response',
  etag: true,
  ...BY_GEOID,
  success: { status: 200, description: 'Years and changes.', schema: trendsSchema },
  example: { query: 'geoid=11001001704' },
});

/** GET /v1/trends: a tract's demographics year by year (SPEC 4.5). */
export function trendsRoute(): Route {
  return defineRoute({
    ...trendsOperation,
    handle: ({ query: { geoid } }, context) => {
      const { tracts } = requireGeneration(context).dataset;
      return answerInPool(context, { kind: 'trends', row: requireRow(tracts, geoid) });
    },
  });
}
