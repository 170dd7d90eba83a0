import { z } from 'zod';
import { METRICS } from '../../core/metrics.js';
import { EVENTS } from '../../webhooks/subscription.js';

const METRIC_PATHS = METRICS.map(({ path }) => path);

const threshold = z
  .strictObject({ operator: z.enum(['>', '>=', '<', '<=']), value: z.number() })
  .meta({ id: 'Threshold' });

const stateList = z
  .array(z.string().regex(/^\d{2}$/))
  .meta({ description: 'Only tracts of these states, by two-digit FIPS code.' });
const geoidList = z.array(z.string().regex(/^\d{11}$/)).meta({ description: 'Only these tracts.' });

/** The body of POST /v1/webhooks (SPEC 2.10). Clients send null for what they leave out. */
export const subscriptionInputSchema = z.object({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .meta({ description: 'Where events are sent; HTTPS is recommended.', format: 'uri' }),
  // Which events there are is checked later: the contract answers 400, with a text of its own.
  events: z
    .array(z.string())
    .min(1)
    .meta({ description: `One or more of ${EVENTS.join(', ')}.` }),
  secret: z
    .string()
    .min(1)
    .max(256)
    .nullish()
    .meta({ description: 'Signs each delivery: `X-Webhook-Signature: sha256=<hex>`. Never returned.' }),
  filters: z
    .object({
      state_fips: stateList.nullish(),
      geoids: geoidList.nullish(),
      thresholds: z
        .partialRecord(z.enum(METRIC_PATHS), z.union([z.number(), threshold]))
        .nullish()
        .meta({ description: 'By metric, as the dictionary names it; a bare number means `>`.' }),
    })
    .nullish()
    .meta({ description: 'What is left out filters nothing.' }),
});

/** A subscription as its owner sees it. It has no secret. */
export const subscriptionSchema = z
  .strictObject({
    id: z.int().min(1),
    url: z.string(),
    events: z.array(z.enum(EVENTS)).min(1),
    filters: z.strictObject({
      state_fips: stateList.optional(),
      geoids: geoidList.optional(),
      thresholds: z.partialRecord(z.enum(METRIC_PATHS), threshold).optional(),
    }),
    active: z.boolean(),
    created_at: z.iso.datetime({ offset: true }),
  })
  .meta({ id: 'Subscription' });

/** The body of GET /v1/webhooks. */
export const subscriptionsSchema = z
  .strictObject({
    total: z.int().min(0),
    webhooks: z.array(subscriptionSchema).meta({ description: 'The caller’s own, by id.' }),
  })
  .meta({ id: 'Subscriptions' });
