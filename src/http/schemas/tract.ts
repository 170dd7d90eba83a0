import { z } from 'zod';
import { EARTH_RADIUS_KM } from '../../core/coordinates.js';
import { GEOID_PATTERN, STATE_FIPS_PATTERN } from '../../core/geoid.js';
import { COMPARED_METRICS, METRICS, metricsOf, type Section, TREND_METRICS } from '../../core/metrics.js';
import { ADDRESSES_MAX, RADIUS_MAX_MILES } from '../input/parameters.js';
import { metricValues, page, recordText } from './values.js';

/** A position (SPEC 2.1). */
const locationSchema = z
  .strictObject({
    lat: z.number().min(-90).max(90).meta({ description: 'Latitude in degrees.' }),
    lng: z.number().min(-180).max(180).meta({ description: 'Longitude in degrees.' }),
    matched_address: z.string().meta({
      description: 'The normalized address; `<lat>,<lng>` if a point was asked for.',
    }),
  })
  .meta({ id: 'Location', description: 'What the request was resolved to.' });

const identity = {
  geoid: recordText('geoid', GEOID_PATTERN),
  state_fips: recordText('state_fips', STATE_FIPS_PATTERN),
  county_fips: recordText('county_fips', /^\d{3}$/),
  tract_code: recordText('tract_code', /^\d{6}$/),
  name: recordText('name'),
};

const EPA_SOURCE = { _source: recordText('epa_data._source').nullable() };

const section = (id: string, name: Section, description: string, extra: z.ZodRawShape = {}) =>
  z
    .strictObject({ ...metricValues(metricsOf(name)), ...extra })
    .meta({ id, description })
    .nullable();

/** A tract's full record (SPEC 2.2–2.5). */
export const tractSchema = z
  .strictObject({
    ...identity,
    ...metricValues(TREND_METRICS),
    svi_themes: section(
      'SviThemes',
      'svi_themes',
      'CDC/ATSDR Social Vulnerability Index, as percentile ranks from 0 to 1. Null if the tract has no row in the source.',
    ),
    places_measures: section(
      'PlacesMeasures',
      'places_measures',
      'CDC PLACES model-based prevalence, percent of adults. Null if the tract has no row in the source.',
    ),
    epa_data: section(
      'EpaData',
      'epa_data',
      'EPA EJScreen environmental indicators. Null if the tract has no row in the source.',
      EPA_SOURCE,
    ),
    ...metricValues(metricsOf('sdoh_index')),
  })
  .meta({ id: 'Tract', description: 'Everything known about one census tract. Unknown values are null, never 0.' });

/** The body of a context answer (SPEC 4.1). */
export const contextSchema = z
  .strictObject({
    location: locationSchema,
    tract: tractSchema,
    narrative: z.string().nullable().meta({ description: 'A clinical summary; null unless asked for.' }),
  })
  .meta({ id: 'Context' });

/** The body of a batch answer (SPEC 4.2). */
export const batchSchema = z
  .strictObject({
    total: z.int().min(1).max(ADDRESSES_MAX).meta({ description: 'Number of addresses sent.' }),
    succeeded: z.int().min(0).max(ADDRESSES_MAX),
    failed: z.int().min(0).max(ADDRESSES_MAX),
    results: z
      .array(
        z
          .strictObject({
            address: z.string().meta({ description: 'The address as sent.' }),
            status: z.enum(['ok', 'error']),
            location: locationSchema.nullable().meta({
              description: 'Null if the address was not matched; given even if it lies outside the loaded tracts.',
            }),
            tract: tractSchema.nullable(),
            error: z
              .string()
              .nullable()
              .meta({
                description:
                  'Why there is no tract; null if there is one. After `Geocoder unavailable.`, the address can be sent again ' +
                  'later.',
              }),
          })
          .meta({ id: 'BatchResult' }),
      )
      .meta({ description: 'In the order of the addresses.' }),
  })
  .meta({ id: 'Batch' });

const DISTANCE_TEXT =
  'Great-circle statute miles from the center to the internal point, two decimals; the Earth is taken for a sphere with a ' +
  `radius of ${EARTH_RADIUS_KM} km.`;

/** The body of a nearby answer (SPEC 4.3, 2.6). */
export const nearbySchema = z
  .strictObject({
    center: z
      .strictObject({ lat: z.number(), lng: z.number() })
      .meta({ description: 'The point asked for, in degrees.' }),
    radius_miles: z.number().gt(0).max(RADIUS_MAX_MILES),
    count: z.int().min(0).meta({ description: 'Tracts on this page.' }),
    total: z.int().min(0).meta({ description: 'Tracts within the radius, on all pages.' }),
    ...page,
    tracts: z
      .array(
        z
          .strictObject({
            geoid: identity.geoid,
            name: identity.name,
            distance_miles: z.number().min(0).meta({ description: DISTANCE_TEXT }),
            ...metricValues(COMPARED_METRICS),
          })
          .meta({ id: 'TractSummary' }),
      )
      .meta({ description: 'Nearest first by `distance_miles`, ties by GEOID.' }),
  })
  .meta({ id: 'Nearby' });

/** The properties of a tract on a map: its record, flattened. */
export const tractPropertiesSchema = z
  .strictObject({ ...identity, ...metricValues(METRICS, ({ path }) => path), 'epa_data._source': EPA_SOURCE._source })
  .meta({ id: 'TractProperties', description: 'The record of a tract, flat: `svi_themes.rpl_themes` beside `geoid`.' });
