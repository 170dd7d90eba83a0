import { z } from 'zod';
import { EVENTS } from '../../webhooks/subscription.js';
import { DELIVERY_FAILURES, PAUSE_REASONS, WEBHOOK_STATES } from '../../webhooks/webhook-admin.js';

const id = z.int().positive();
const count = z.int().min(0);
const time = z.iso.datetime({ offset: true });
const event = z.enum(EVENTS);
const failure = z.enum(DELIVERY_FAILURES);
const status = z.int().nullable();

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
});

const attemptSchema = z.object({
  at: time,
  webhookId: z.string(),
  event,
  geoid: z.string(),
  attempt: id,
  status,
  failure: failure.nullable(),
  durationMs: z.number(),
});

const deadLetterSchema = z.object({
  id,
  webhookId: z.string(),
  event,
  geoid: z.string(),
  failedAt: time,
  status,
  failure,
  replaying: z.boolean(),
});

export const webhookAttemptsSchema = z.object({
  recent: z.array(attemptSchema).readonly(),
  deadLetters: z.array(deadLetterSchema).readonly(),
});

export const webhookTestSchema = z.object({
  arrived: z.boolean(),
  webhookId: z.string(),
  status,
  failure: failure.nullable(),
  durationMs: z.number(),
});

/** How many events a reload would send to a subscription: at once, or, if it is not active, once it is again. */
export const webhookPreviewSchema = z.object({ id, owner: z.string(), state, events: z.record(event, count) });
