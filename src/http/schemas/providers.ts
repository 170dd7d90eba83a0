import { z } from 'zod';
import { GEOID_PATTERN } from '../../core/geoid.js';
import { PROVIDER_KINDS } from '../../core/provider-types.js';
import { page } from './values.js';

const textOrNull = z.string().nullable();

const properties = {
  npi: z
    .string()
    .regex(/^\d{10}$/)
    .nullable()
    .meta({ description: 'National Provider Identifier; null for a health-center site that HRSA lists without one.' }),
  provider_name: z.string(),
  credential: textOrNull.meta({ description: 'Such as MD or NP.' }),
  primary_taxonomy: textOrNull.meta({ description: 'NUCC taxonomy code.' }),
  taxonomy_description: textOrNull,
  provider_type: z
    .enum(PROVIDER_KINDS)
    .meta({ description: 'other occurs only if the dataset was compiled with every taxonomy.' }),
  practice_address: textOrNull,
  practice_city: textOrNull,
  practice_state: textOrNull.meta({ description: 'Two letters.' }),
  practice_zip: textOrNull,
  phone: textOrNull,
  is_fqhc: z.boolean().meta({ description: 'Whether it is a Federally Qualified Health Center.' }),
  entity_type: z.enum(['1', '2']).meta({ description: '1 is an individual, 2 an organization.' }),
};

/** A provider's properties on a map (SPEC 2.13). */
export const providerPropertiesSchema = z.strictObject(properties).meta({ id: 'ProviderProperties' });

/** The body of a provider search (SPEC 4.11). */
export const providersSchema = z
  .strictObject({
    count: z.int().min(0).meta({ description: 'Providers on this page.' }),
    total: z.int().min(0).meta({ description: 'Providers found on all pages.' }),
    ...page,
    providers: z
      .array(
        z
          .strictObject({
            ...properties,
            gender: textOrNull,
            tract_fips: z
              .string()
              .regex(GEOID_PATTERN)
              .nullable()
              .meta({ description: 'GEOID of the tract it lies in.' }),
            lat: z.number().min(-90).max(90),
            lng: z.number().min(-180).max(180),
            distance_miles: z.number().min(0).nullable().meta({
              description: 'Great-circle statute miles from the point, two decimals; null in a search by tract.',
            }),
          })
          .meta({ id: 'Provider' }),
      )
      .meta({ description: 'Nearest first by `distance_miles`, ties by NPI; by NPI in a search by tract.' }),
  })
  .meta({ id: 'Providers' });
