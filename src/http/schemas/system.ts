import { z } from 'zod';

const count = z.int().min(0);
const share = z.number().min(0).max(1);

/** The body of GET /health (SPEC 2.14). */
export const healthSchema = z
  .strictObject({
    status: z.enum(['ok', 'degraded']),
    database: z.enum(['connected', 'unavailable']),
    detail: z.string().nullable().meta({ description: 'A short explanation for the operator.' }),
    cache: z.strictObject({ size: count, max_size: count, hit_rate: share }),
    rate_limiter: z.strictObject({ active_keys: count }),
    uptime_seconds: z.number().min(0),
  })
  .meta({ id: 'Health' });

const latencyMs = z.number().min(0).nullable().meta({ description: 'Null before the first request.' });

const lookups = {
  requests: count,
  matched: count,
  no_match: count.meta({ description: 'Addresses without a match, for any reason.' }),
  failures: count.meta({ description: 'Lookups for which no geocoder could be reached.' }),
  matches_by_type: z.strictObject({ exact: count, interpolated: count, street: count, zip: count }),
  no_matches_by_reason: z.strictObject({ unknown: count, tie: count, unplaceable: count, not_loaded: count }),
};
const lookupsOfOne = z.strictObject(lookups).meta({ id: 'GeocoderLookups' }).optional();
const geocoderSchema = z.strictObject({
  ...lookups,
  by_geocoder: z
    .strictObject({ embedded: lookupsOfOne, census: lookupsOfOne, nominatim: lookupsOfOne })
    .meta({ description: 'Lookups by geocoder; several may have been asked for one address.' }),
});

const percentilesMs = z
  .strictObject({ p50: latencyMs, p90: latencyMs, p95: latencyMs, p99: latencyMs })
  .meta({ id: 'Percentiles' });

const sourceSchema = z
  .strictObject({
    source: z.string(),
    vintage: z
      .string()
      .nullable()
      .meta({ description: 'A year or a day; `null` for sources that are updated in place.' }),
    fetched: z.string().nullable().meta({ description: 'The day on which it was fetched, if known.' }),
    age_days: count.nullable().meta({ description: 'Since the end of the vintage, or since it was fetched.' }),
  })
  .meta({ id: 'LoadedSource' });

/** The body of GET /metrics as JSON. */
export const metricsSchema = z
  .strictObject({
    uptime_seconds: z.number().min(0),
    total_requests: count,
    status_codes: z.record(z.string().regex(/^\d{3}$/), count),
    cache: z.strictObject({ hits: count, misses: count, hit_rate: share, size: count, max_size: count }),
    geocoder: geocoderSchema,
    narrative: z.strictObject({ ok: count, failures: count }),
    auth_failures: count,
    latency_ms: percentilesMs,
    stages_ms: z
      .strictObject({ queue: percentilesMs, query: percentilesMs, write: percentilesMs })
      .meta({ description: 'Time that answers spent waiting for a thread, on the query, and on writing.' }),
    rate_limiter: z.strictObject({ active_keys: count }),
    sources: z.array(sourceSchema).meta({ description: 'What the live dataset was compiled from.' }),
  })
  .meta({ id: 'Metrics' });

/** The body of every error (SPEC 7) but a 422 and the 503 of /health. */
export const errorSchema = z
  .strictObject({
    error: z.literal(true),
    status_code: z.int().min(400).max(599),
    detail: z.string(),
  })
  .meta({ id: 'Error' });

/** The body of a 422 (SPEC 7.4). */
export const validationErrorSchema = z
  .strictObject({
    error: z.literal(true),
    status_code: z.literal(422).meta({ type: 'integer' }),
    detail: z
      .array(
        z
          .strictObject({
            loc: z
              .array(z.union([z.string(), z.int()]))
              .min(1)
              .meta({ description: 'Where: `["query", "lat"]`, `["body", "addresses", 3]`.' }),
            msg: z.string(),
            type: z.string().meta({ description: 'Such as `missing`, `float_parsing`, `less_than_equal`.' }),
          })
          .meta({ id: 'ValidationIssue' }),
      )
      .min(1),
  })
  .meta({ id: 'ValidationError' });
