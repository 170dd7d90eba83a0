import { z } from 'zod';
import {
  WEBHOOK_STATES,
  type WebhookAttempts,
  type WebhookDeadLetter,
  type WebhookPreview,
  type WebhookSummary,
  type WebhookTestResult,
} from '../../webhooks/admin/webhook-admin.js';
import { attemptSchema, DELIVERY_FAILURES, deadLetterSchema } from '../../webhooks/attempt.js';
import { PAUSE_REASONS } from '../../webhooks/delivery-records.js';
import { EVENTS } from '../../webhooks/subscription.js';

const id = z.int().positive();
const count = z.int().min(0);
const time = z.iso.datetime({ offset: true });
const event = z.enum(EVENTS);
const failure = z.enum(DELIVERY_FAILURES);
const status = z.int().nullable();

/*
 * `satisfies`: the type check fails if a schema leaves out something that the service gives, which would be cut out of
 * every answer. That a schema asks for nothing else is checked where the router names it as the output.
 */

export const webhookIdSchema = id;

const state = z.enum(WEBHOOK_STATES);

export const webhookSummarySchema = z.object({
  id,
  owner: z.string(),
  url: z.string(),
  events: z.array(event).readonly(),
  filters: z.record(z.string(), z.unknown()),
  hasSecret: z.boolean(),
  createdAt: time,
  state,
  pausedBecause: z.enum(PAUSE_REASONS).nullable(),
  restsUntil: time.nullable(),
  lastSuccessAt: time.nullable(),
  lastAttemptAt: time.nullable(),
  failuresInARow: count,
  delivered: count,
  retried: count,
  failed: count,
  deadLetters: count,
  waitingUpdates: count,
  waitingTracts: count.nullable(),
  lagSeconds: count,
}) satisfies z.ZodType<WebhookSummary>;

/** In the order in which it is shown: the number first. */
const shownDeadLetterSchema = z.object({
  id,
  ...deadLetterSchema.omit({ body: true }).shape,
  replaying: z.boolean(),
}) satisfies z.ZodType<WebhookDeadLetter>;

export const webhookAttemptsSchema = z.object({
  recent: z.array(attemptSchema).readonly(),
  deadLetters: z.array(shownDeadLetterSchema).readonly(),
}) satisfies z.ZodType<WebhookAttempts>;

export const webhookTestSchema = z.object({
  arrived: z.boolean(),
  webhookId: z.string(),
  status,
  failure: failure.nullable(),
  durationMs: z.number(),
}) satisfies z.ZodType<WebhookTestResult>;

/** How many events a reload would send to a subscription: at once, or, if it is not active, once it is again. */
export const webhookPreviewSchema = z.object({
  id,
  owner: z.string(),
  state,
  events: z.record(event, count),
}) satisfies z.ZodType<WebhookPreview>;
