import { z } from 'zod';
import { GEOID_PATTERN, STATE_FIPS_PATTERN } from '../../core/geoid.js';
import { COMPARED_METRICS, type Metric, TREND_METRICS } from '../../core/metrics.js';
import { SCOPES } from '../../core/scopes.js';
import { metricValues, numberOrNull, recordText } from './values.js';

const geoid = recordText('geoid', GEOID_PATTERN);
const name = recordText('name');
const metricName = (metrics: readonly Metric[]) => z.enum(metrics.map(({ key }) => key));

/** As floats, because an average of integers need not be an integer. */
const comparedValues = z
  .strictObject(metricValues(COMPARED_METRICS.map((metric) => ({ ...metric, type: 'float' as const }))))
  .meta({ id: 'ComparedValues' });

const side = z
  .strictObject({
    type: z.enum(['tract', ...SCOPES.map((scope) => `${scope}_average` as const)]),
    geoid: geoid.nullable().meta({ description: 'Null for an average.' }),
    label: z.string(),
    values: comparedValues,
  })
  .meta({ id: 'ComparisonSide' });

/** The body of a comparison (SPEC 4.4, 2.7). */
export const comparisonSchema = z
  .strictObject({
    a: side,
    b: side,
    differences: z
      .strictObject(Object.fromEntries(COMPARED_METRICS.map(({ key }) => [key, numberOrNull])))
      .meta({ description: 'a − b, four decimals; null if either is unknown.' }),
  })
  .meta({ id: 'Comparison' });

const year = z.int().min(1990).max(2100);

/** The body of a trends answer (SPEC 4.5, 2.8). */
export const trendsSchema = z
  .strictObject({
    geoid,
    name,
    years: z
      .array(z.strictObject({ year, ...metricValues(TREND_METRICS) }).meta({ id: 'TrendYear' }))
      .min(1)
      .meta({ description: 'Ascending; a year is the last one of its five-year estimate.' }),
    changes: z
      .array(
        z
          .strictObject({
            metric: metricName(TREND_METRICS),
            earliest_year: year.nullable(),
            latest_year: year.nullable(),
            earliest_value: numberOrNull,
            latest_value: numberOrNull,
            absolute_change: numberOrNull.meta({ description: 'Latest − earliest.' }),
            percent_change: numberOrNull.meta({
              description: 'Percent of the earliest value, two decimals; null if that is 0.',
            }),
          })
          .meta({ id: 'TrendChange' }),
      )
      .length(TREND_METRICS.length)
      .meta({
        description:
          'One per metric, between the earliest and the latest year with a value; all null except `metric` ' +
          'if fewer than two years have a value.',
      }),
  })
  .meta({ id: 'Trends' });

const percentile = z
  .number()
  .min(0)
  .max(100)
  .nullable()
  .meta({ description: 'Share of the area’s tracts with a value strictly below, × 100, one decimal.' });
const average = numberOrNull.meta({
  description: 'Plain mean over the area’s tracts that have a value, four decimals.',
});

/** The body of a ranking (SPEC 4.6, 2.9). */
export const rankingsSchema = z
  .strictObject({
    geoid,
    name,
    state_fips: recordText('state_fips', STATE_FIPS_PATTERN),
    county_fips: recordText('county_fips', /^\d{3}$/),
    rankings: z
      .array(
        z
          .strictObject({
            metric: metricName(COMPARED_METRICS),
            value: numberOrNull,
            county_percentile: percentile,
            state_percentile: percentile,
            national_percentile: percentile,
          })
          .meta({ id: 'Ranking' }),
      )
      .length(COMPARED_METRICS.length),
    averages: z
      .array(
        z
          .strictObject({
            metric: metricName(COMPARED_METRICS),
            tract_value: numberOrNull,
            county_avg: average,
            state_avg: average,
            national_avg: average,
          })
          .meta({ id: 'AverageRecord' }),
      )
      .length(COMPARED_METRICS.length),
  })
  .meta({ id: 'Rankings' });
