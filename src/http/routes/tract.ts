import { z } from 'zod';
import { data } from '../answer.js';
import { requireGeneration, requireRow } from '../generation.js';
import { geoid } from '../input/parameters.js';
import { plainGeoid } from '../input/plain-parameters.js';
import { defineOperation, TRACT_ABSENT } from '../operation.js';
import { defineRoute, type Route } from '../route.js';
import { tractSchema } from '../schemas/tract.js';

export const tractOperation = defineOperation({
  id: 'getTract',
  tag: 'tracts',
  summary: 'A tract’s full record',
  description: 'Everything known about one tract.',
  method: 'GET',
  path: '/v1/tracts/:geoid',
  access: 'key',
  cache: 'none',
  etag: true,
  input: z.object({ path: z.object({ geoid }) }),
  accept: ({ path }) => {
    const geoid = plainGeoid(path.geoid);
    return geoid && { path: { geoid } };
  },
  success: { status: 200, description: 'The record.', schema: tractSchema },
  errors: { 404: TRACT_ABSENT },
  example: { path: { geoid: '11001001704' } },
});

/** GET /v1/tracts/{geoid}: one tract's full record (SPEC 2.2). The file holds its finished JSON, so no cache is needed. */
export function tractRoute(): Route {
  return defineRoute({
    ...tractOperation,
    handle: ({ path: { geoid } }, context) => {
      const { tracts } = requireGeneration(context).dataset;
      const row = requireRow(tracts, geoid);
      // A copy, because the socket may still be sending when the file is unmapped.
      return data(tracts.records.byteText(row));
    },
  });
}
