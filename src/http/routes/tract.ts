import { z } from 'zod';
import { findRow } from '../../query/rows.js';
import { data } from '../answer.js';
import { ApiError } from '../errors.js';
import type { RequireGeneration } from '../generation.js';
import { geoid } from '../parameters.js';
import { defineRoute, type Route } from '../route.js';

const path = z.object({ geoid });

/** GET /v1/tracts/{geoid}: one tract's full record (SPEC 2.2). */
export function tractRoute(generation: RequireGeneration): Route {
  return defineRoute({
    method: 'GET',
    path: '/v1/tracts/:geoid',
    access: 'key',
    input: z.object({ path }),
    handle: ({ path: { geoid } }) => {
      const { tracts } = generation().dataset;
      const row = findRow(tracts, geoid);
      if (row < 0) throw new ApiError('not_found', `Tract ${geoid} not found.`);
      // A copy: the socket may be sending still when the file is unmapped.
      return data(Buffer.from(tracts.records.bytes(row)));
    },
  });
}
