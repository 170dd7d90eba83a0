import { z } from 'zod';
import { CATEGORIES } from '../../core/dictionary.js';
import { STATE_FIPS_PATTERN } from '../../core/geoid.js';
import { page } from './values.js';

const category = z.enum(CATEGORIES);

/** The body of a dictionary answer (SPEC 4.8, 2.11). */
export const dictionarySchema = z
  .strictObject({
    total_fields: z.int().min(1).meta({ description: 'Fields in this answer.' }),
    categories: z.array(
      z
        .strictObject({
          category,
          description: z.string(),
          source: z.string(),
          fields: z.array(
            z
              .strictObject({
                name: z.string().meta({ description: 'Dotted path in a tract’s record.' }),
                type: z.enum(['string', 'integer', 'float']),
                source: z.string(),
                category,
                description: z.string(),
                clinical_relevance: z.string(),
                unit: z.string(),
                typical_range: z.string(),
                example_value: z.union([z.number(), z.string()]),
              })
              .meta({ id: 'DictionaryField' }),
          ),
        })
        .meta({ id: 'DictionaryCategory' }),
    ),
  })
  .meta({ id: 'Dictionary' });

/** The body of a coverage answer (SPEC 4.9, 2.12). */
export const coverageSchema = z
  .strictObject({
    total_states: z.int().min(0).meta({ description: 'Loaded states on all pages; 51 when complete, including DC.' }),
    total_tracts: z.int().min(0),
    ...page,
    states: z
      .array(
        z
          .strictObject({ state_fips: z.string().regex(STATE_FIPS_PATTERN), tract_count: z.int().min(1) })
          .meta({ id: 'CoverageState' }),
      )
      .meta({ description: 'By FIPS code, ascending.' }),
  })
  .meta({ id: 'Coverage' });
