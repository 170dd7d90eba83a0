import { z } from 'zod';
import { EVENTS, THRESHOLD_OPERATORS } from '../../webhooks/subscription.js';
import { geoid, stateFips } from '../input/parameters.js';
import { list } from './list.js';
import { METRIC_PATHS } from './values.js';

/** Tells a client that mistyped a field, or took one from elsewhere, which fields there are. */
function onUnknownField(message: string): z.core.TypeParams['error'] {
  return ({ code }) => (code === 'unrecognized_keys' ? message : undefined);
}
const NO_SUCH_METRIC =
  "there is no such metric: it is a field with numbers, named as in GET /v1/dictionary, such as 'places_measures.diabetes'";

const threshold = z
  .strictObject(
    { operator: z.enum(THRESHOLD_OPERATORS), value: z.number() },
    { error: onUnknownField("there is no such field: a threshold has 'operator' and 'value'") },
  )
  .meta({ id: 'Threshold' });

const [BY_STATE, BY_TRACT] = [
  { description: 'Only tracts of these states, by two-digit FIPS code. An empty list filters nothing.' },
  {
    description:
      'Only these tracts, by eleven-digit GEOID; for a county, all of its tracts. An empty list filters nothing.',
  },
];
const THRESHOLDS =
  'Conditions for `threshold.exceeded`, by metric as named in the dictionary; without any, no such event is sent: ' +
  '`{"poverty_rate": {"operator": ">=", "value": 20}}`.';

/** zod's records skip a key of this name, instead of telling that it is none of theirs. */
const PROTOTYPE = '__proto__';
function refusePrototype(given: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof given === 'object' && given !== null && Object.hasOwn(given, PROTOTYPE)) {
    context.addIssue({ code: 'custom', path: [PROTOTYPE], message: NO_SUCH_METRIC });
  }
  return given;
}

/** Filters as a client sends them. Strict, because ignoring a mistyped filter would send events for the whole nation. */
const filtersInput = z
  .strictObject(
    {
      state_fips: list(stateFips).nullish().meta(BY_STATE),
      geoids: list(geoid).nullish().meta(BY_TRACT),
      thresholds: z
        .preprocess(
          refusePrototype,
          z
            .partialRecord(z.enum(METRIC_PATHS), z.union([z.number(), threshold]), {
              error: onUnknownField(NO_SUCH_METRIC),
            })
            .nullish(),
        )
        .optional()
        .meta({ description: `${THRESHOLDS} A bare number means \`>\`.` }),
    },
    { error: onUnknownField("there is no such field: filters are 'state_fips', 'geoids' and 'thresholds'") },
  )
  .meta({ id: 'Filters', description: 'Which tracts to report. A tract must pass all filters.' });

/** Without the flag for case, because the OpenAPI document holds only its source. */
const HOST_AFTER_SLASHES = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/]/;

/** URL parsers repair `http:///host` to `http://host`, so events would go to another URL than the owner sees. */
function requireHost({ value, issues }: z.core.ParsePayload<string>): void {
  if (issues.length === 0 && !HOST_AFTER_SLASHES.test(value)) {
    issues.push({ code: 'invalid_format', format: 'url', input: value });
  }
}

/** What filters are taken for beside `filters`. Other fields that there are not are ignored. */
export const MISPLACED_FILTERS: readonly string[] = ['filter', 'state_fips', 'geoids', 'thresholds'];

/** A misplaced filter must not be ignored either, for the same reason. */
function refuseMisplacedFilters(given: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  for (const name of MISPLACED_FILTERS.filter((each) => Object.hasOwn(given, each))) {
    const message = `there is no such field: 'state_fips', 'geoids' and 'thresholds' are given in 'filters'`;
    context.addIssue({ code: 'custom', path: [name], message });
  }
  return given;
}

const subscriptionInput = z
  .object({
    url: z
      .url({ protocol: /^https?$/ })
      .check(requireHost)
      .max(2048)
      .meta({
        description: 'Where events are sent, over http or https; HTTPS is recommended.',
        format: 'uri',
        pattern: HOST_AFTER_SLASHES.source,
      }),
    // The names are checked later, because the contract answers unknown ones with a 400 and a text of its own.
    events: list(z.string().meta({ enum: [...EVENTS] }), {
      least: 1,
      description: `One or more of ${EVENTS.join(', ')}.`,
    }),
    secret: z
      .string()
      .min(1)
      .max(256)
      .nullish()
      .meta({ description: 'Signs each delivery (see Deliveries). Never returned.' }),
    filters: filtersInput.nullish().meta({ description: 'A filter that is left out filters nothing.' }),
  })
  .meta({ id: 'NewSubscription' });

/** The body of POST /v1/webhooks (SPEC 2.10). Nullish, because some clients send null for what they leave out. */
export const subscriptionInputSchema = z.preprocess(refuseMisplacedFilters, subscriptionInput);

/** A subscription as its owner sees it, without its secret. */
export const subscriptionSchema = z
  .strictObject({
    id: z.int().min(1),
    url: z.string(),
    events: z.array(z.enum(EVENTS)).min(1),
    filters: z
      .strictObject({
        state_fips: z.array(stateFips).meta(BY_STATE).optional(),
        geoids: z.array(geoid).meta(BY_TRACT).optional(),
        thresholds: z.partialRecord(z.enum(METRIC_PATHS), threshold).optional().meta({ description: THRESHOLDS }),
      })
      .meta({ description: 'The filters as given; a bare number becomes `{"operator": ">", "value": …}`.' }),
    active: z.boolean().meta({ description: 'False while it is paused; its events wait.' }),
    created_at: z.iso.datetime({ offset: true }),
  })
  .meta({ id: 'Subscription' });

/** The body of GET /v1/webhooks. */
export const subscriptionsSchema = z
  .strictObject({
    total: z.int().min(0),
    webhooks: z.array(subscriptionSchema).meta({ description: 'The caller’s subscriptions, by id.' }),
  })
  .meta({ id: 'Subscriptions' });
