import { z } from 'zod';
import { EVENTS, type EventName } from '../../webhooks/subscription.js';
import {
  MAX_ACTIVE_SUBSCRIPTIONS,
  MAX_SUBSCRIPTIONS,
  type SubscriptionInput,
  type Subscriptions,
} from '../../webhooks/subscriptions.js';
import { momentary } from '../answer.js';
import { DETAILS } from '../error-details.js';
import { ApiError, unavailable } from '../errors.js';
import { EXAMPLE_SECRET } from '../event-descriptions.js';
import { integer } from '../input/parameters.js';
import type { ValidationIssue } from '../input/validation-issue.js';
import { defineOperation } from '../operation.js';
import { defineRoute, type Route, type RouteContext } from '../route.js';
import {
  MISPLACED_FILTERS,
  subscriptionInputSchema,
  subscriptionSchema,
  subscriptionsSchema,
} from '../schemas/webhooks.js';

const TOO_MANY = {
  'active-limit': `Maximum ${MAX_ACTIVE_SUBSCRIPTIONS} active webhooks per API key.`,
  limit: `Maximum ${MAX_SUBSCRIPTIONS} webhooks per API key, paused ones included.`,
} as const;
const LOCKED =
  'Webhook secrets cannot be accepted: the service lacks the key that encrypts them. Its operator must restore it.';
const NOT_FOUND = 'Webhook not found.';
const invalidEvents = (names: readonly string[]): string =>
  `Invalid event types: ${names.join(', ')}. Valid: ${EVENTS.join(', ')}`;

const shared = { tag: 'webhooks', access: 'key', scope: 'webhooks', path: '/v1/webhooks' } as const;
const byId = {
  ...shared,
  path: '/v1/webhooks/:id',
  input: z.object({
    path: z.object({ id: integer(z.number()).meta({ type: 'integer', description: 'As it was given on creation.' }) }),
  }),
  errors: { 404: { description: 'The key has no subscription with this id.', details: [NOT_FOUND] } },
  example: { path: { id: '1' } },
} as const;

export const createWebhookOperation = defineOperation({
  ...shared,
  id: 'createWebhook',
  summary: 'Subscribe to changes',
  description:
    `At most ${MAX_ACTIVE_SUBSCRIPTIONS} active subscriptions per key, and ${MAX_SUBSCRIPTIONS} including paused ones. ` +
    'The URL must not point to a private network, nor hold a user or password. Its requests are described under ' +
    'Deliveries. Fields that are not listed here are ignored, except in `filters`. What belongs there is refused beside ' +
    `it: ${MISPLACED_FILTERS.map((name) => `\`${name}\``).join(', ')}.`,
  method: 'POST',
  body: 'json',
  input: z.object({ body: subscriptionInputSchema }),
  success: { status: 201, description: 'The subscription; its secret is never returned.', schema: subscriptionSchema },
  errors: {
    400: [invalidEvents(['data.deleted']), TOO_MANY['active-limit'], TOO_MANY.limit],
    503: {
      description:
        'The subscription has a `secret`, but the service lacks the key that encrypts secrets; or its disk is full.',
      details: [LOCKED, DETAILS.notStored],
    },
  },
  example: {
    body: {
      url: 'https://hooks.example.org/tracts',
      events: ['data.updated', 'threshold.exceeded'],
      secret: EXAMPLE_SECRET,
      filters: { state_fips: ['11'], thresholds: { poverty_rate: { operator: '>=', value: 20 } } },
    },
  },
});

export const listWebhooksOperation = defineOperation({
  ...shared,
  id: 'listWebhooks',
  summary: 'The key’s subscriptions',
  description: 'Only those of the calling key.',
  method: 'GET',
  input: z.object({}),
  success: { status: 200, description: 'All subscriptions of the key.', schema: subscriptionsSchema },
  example: {},
});

export const getWebhookOperation = defineOperation({
  ...byId,
  id: 'getWebhook',
  summary: 'One subscription',
  description: 'Another key’s subscription is treated as one that does not exist.',
  method: 'GET',
  success: { status: 200, description: 'The subscription.', schema: subscriptionSchema },
});

export const deleteWebhookOperation = defineOperation({
  ...byId,
  id: 'deleteWebhook',
  summary: 'End a subscription',
  description: 'Another key’s subscription is treated as one that does not exist.',
  method: 'DELETE',
  errors: { ...byId.errors, 503: { description: 'The service’s disk is full.', details: [DETAILS.notStored] } },
  success: { status: 204, description: 'The subscription is deleted.' },
});

/** The endpoints of webhook subscriptions (SPEC 4.7). */
export function webhookRoutes(subscriptions: Subscriptions): Route[] {
  return [
    defineRoute({
      ...createWebhookOperation,
      handle: async ({ body }, context) => {
        requireAllowedUrl(subscriptions.urlProblem(body.url));
        const created = await subscriptions.create(ownerOf(context), toInput(body));
        if (created.ok) return momentary(201, created.subscription);
        if (created.code === 'locked') throw unavailable('secrets_locked', LOCKED);
        throw new ApiError('bad_request', TOO_MANY[created.code]);
      },
    }),
    defineRoute({
      ...listWebhooksOperation,
      handle: async (_input, context) => {
        const webhooks = await subscriptions.list(ownerOf(context));
        return momentary(200, { total: webhooks.length, webhooks });
      },
    }),
    defineRoute({
      ...getWebhookOperation,
      handle: async ({ path: { id } }, context) => {
        const subscription = isId(id) ? await subscriptions.get(ownerOf(context), id) : undefined;
        if (!subscription) throw new ApiError('not_found', NOT_FOUND);
        return momentary(200, subscription);
      },
    }),
    defineRoute({
      ...deleteWebhookOperation,
      handle: async ({ path: { id } }, context) => {
        const removed = isId(id) ? await subscriptions.remove(ownerOf(context), id) : undefined;
        if (!removed) throw new ApiError('not_found', NOT_FOUND);
        return { status: 204, cacheControl: 'no-store' };
      },
    }),
  ];
}

function requireAllowedUrl(problem: string | undefined): void {
  if (problem === undefined) return;
  const issue: ValidationIssue = { loc: ['body', 'url'], msg: `Value error, ${problem}`, type: 'value_error' };
  throw new ApiError('validation', [issue]);
}

/** Ids are positive. Any other number is answered as not found rather than as invalid. */
function isId(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0;
}

function ownerOf({ key }: RouteContext): string {
  if (!key) throw new Error('a route with a key was reached without one');
  return key.id;
}

/** Drops what the client left out or sent as null. Throws `bad_request` for events that do not exist. */
function toInput({ url, events, secret, filters }: z.output<typeof subscriptionInputSchema>): SubscriptionInput {
  const unknown = [...new Set(events.filter((name) => !isEvent(name)))].sort();
  if (unknown.length > 0) throw new ApiError('bad_request', invalidEvents(unknown));
  const { state_fips, geoids, thresholds } = filters ?? {};
  return {
    url,
    events: [...new Set(events.filter(isEvent))],
    ...(secret ? { secret } : {}),
    filters: {
      ...(state_fips ? { state_fips } : {}),
      ...(geoids ? { geoids } : {}),
      ...(thresholds ? { thresholds: definedOnly(thresholds) } : {}),
    },
  };
}

function isEvent(name: string): name is EventName {
  return EVENTS.some((event) => event === name);
}

function definedOnly<T>(entries: Readonly<Partial<Record<string, T>>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
