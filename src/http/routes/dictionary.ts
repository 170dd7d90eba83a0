import { z } from 'zod';
import { CATEGORIES, type Category, type Dictionary } from '../../core/dictionary.js';
import { dictionary } from '../../query/dictionary.js';
import { dataOf } from '../answer.js';
import { ApiError } from '../errors.js';
import { requireGeneration } from '../generation.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type Route } from '../route.js';
import { dictionarySchema } from '../schemas/reference.js';

const invalidCategory = (given: string): string => `Invalid category '${given}'. Valid: ${CATEGORIES.join(', ')}`;

export const dictionaryOperation = defineOperation({
  id: 'getDictionary',
  tag: 'reference',
  summary: 'What each field means',
  description:
    'Meaning, clinical relevance, unit, typical range and source of every field of a tract’s record, with the vintages that ' +
    'are loaded.',
  method: 'GET',
  path: '/v1/dictionary',
  access: 'key',
  cache: 'response',
  etag: true,
  input: z.object({
    query: z.object({
      category: z
        .string()
        .meta({ enum: [...CATEGORIES], description: 'Only the fields of this category.' })
        .optional(),
    }),
  }),
  success: { status: 200, description: 'The fields, by category.', schema: dictionarySchema },
  errors: { 400: [invalidCategory('economy')] },
  example: { query: 'category=composite' },
});

/** GET /v1/dictionary: every field, or those of a category (SPEC 4.8). */
export function dictionaryRoute(content: Dictionary): Route {
  return defineRoute({
    ...dictionaryOperation,
    handle: ({ query: { category } }, context) => {
      const wanted = category === undefined ? undefined : parseCategory(category);
      return dataOf(dictionary(content, requireGeneration(context).dataset.tracts.description, wanted));
    },
  });
}

function parseCategory(text: string): Category {
  const category = CATEGORIES.find((name) => name === text);
  if (!category) throw new ApiError('bad_request', invalidCategory(text));
  return category;
}
