import { z } from 'zod';

const count = z.int().min(0);
const share = z.number().min(0).max(1);

/** The body of GET /health (SPEC 2.14). */
export const healthSchema = z
  .strictObject({
    status: z.enum(['ok', 'degraded']),
    database: z.enum(['connected', 'unavailable']),
    detail: z.string().nullable().meta({ description: 'A word for the operator.' }),
    cache: z.strictObject({ size: count, max_size: count, hit_rate: share }),
    rate_limiter: z.strictObject({ active_keys: count }),
    uptime_seconds: z.number().min(0),
  })
  .meta({ id: 'Health' });

const latencyMs = z.number().min(0).nullable().meta({ description: 'Null before the first request.' });

/** The body of GET /metrics as JSON. */
export const metricsSchema = z
  .strictObject({
    uptime_seconds: z.number().min(0),
    total_requests: count,
    status_codes: z.record(z.string().regex(/^\d{3}$/), count),
    cache: z.strictObject({ hits: count, misses: count, hit_rate: share, size: count, max_size: count }),
    geocoder: z.record(z.string(), z.number()),
    narrative: z.strictObject({ ok: count, failures: count }),
    auth_failures: count,
    latency_ms: z.strictObject({ p50: latencyMs, p90: latencyMs, p95: latencyMs, p99: latencyMs }),
    rate_limiter: z.strictObject({ active_keys: count }),
  })
  .meta({ id: 'Metrics' });

/** Every answer that is neither 2xx nor 304 nor 422 (SPEC 7). */
export const errorSchema = z
  .strictObject({
    error: z.literal(true),
    status_code: z.int().min(400).max(599),
    detail: z.string(),
  })
  .meta({ id: 'Error' });

/** A 422 (SPEC 7.4). */
export const validationErrorSchema = z
  .strictObject({
    error: z.literal(true),
    status_code: z.literal(422),
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
