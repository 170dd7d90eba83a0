import { z } from 'zod';
import { geoid } from '../input/parameters.js';
import { plainGeoid } from '../input/plain-parameters.js';
import { TRACT_ABSENT } from '../operation.js';
import type { RawInput } from '../route.js';

/** What endpoints about one tract, `?geoid=…`, have in common. */
export const BY_GEOID = {
  input: z.object({ query: z.object({ geoid }) }),
  accept: ({ query }: RawInput) => {
    const geoid = plainGeoid(query.geoid);
    return geoid && { query: { geoid } };
  },
  errors: { 404: TRACT_ABSENT },
} as const;
