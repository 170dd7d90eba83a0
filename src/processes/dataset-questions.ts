import { z } from 'zod';
import type { LiveGeneration } from '../catalog/admin/dataset-admin.js';
import { CatalogError, type CatalogErrorCode, type Damage } from '../catalog/directory/catalog-error.js';
import { defineQuestion, nothing } from './question.js';

/** Opening and warming a generation takes a second or two; this leaves time for a busy machine. */
const PREPARE_TIMEOUT_MS = 60_000;
const COMMIT_TIMEOUT_MS = 10_000;
/** Answered from memory. Several of these may follow one another while a maintainer waits, also for a process that is stopped. */
const LIVE_TIMEOUT_MS = 3_000;

const generation = z.strictObject({ generation: z.string() });

/**
 * An expected error, as a value, since an error would lose its class on the way. Code and damage are barely checked,
 * because both ends are the same program.
 */
const refusal = z.strictObject({
  ok: z.literal(false),
  code: z.custom<CatalogErrorCode>((value) => typeof value === 'string'),
  message: z.string(),
  damage: z.custom<Damage>().optional(),
});
type Refusal = z.output<typeof refusal>;

/**
 * Converts a CatalogError to a form that can be sent to another process. Rethrows any other error, and also that this
 * process stops: another may take its place, and the service go on.
 */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof CatalogError) || error.code === 'stopped') throw error;
  const { code, message, damage } = error;
  return { ok: false, code, message, ...(damage && { damage }) };
}

/** Converts a received refusal back to a CatalogError. */
export function fromRefusal({ code, message, damage }: Refusal): CatalogError {
  return new CatalogError(code, message, damage);
}

/** The primary has a process prepare a generation. */
export const PREPARE = defineQuestion({
  name: 'datasets.prepare',
  input: generation,
  output: z.discriminatedUnion('ok', [z.strictObject({ ok: z.literal(true), isLive: z.boolean() }), refusal]),
  timeoutMs: PREPARE_TIMEOUT_MS,
});

/** The primary has a process take a prepared generation live. */
export const COMMIT = defineQuestion({
  name: 'datasets.commit',
  input: generation,
  output: nothing,
  timeoutMs: COMMIT_TIMEOUT_MS,
});

/** The primary has a process discard a prepared generation. */
export const DISCARD = defineQuestion({
  name: 'datasets.discard',
  input: generation,
  output: nothing,
  timeoutMs: COMMIT_TIMEOUT_MS,
});

/** The primary asks a process which generation it answers from. */
export const LIVE = defineQuestion({
  name: 'datasets.live',
  input: nothing,
  output: z.custom<LiveGeneration>().nullable(),
  timeoutMs: LIVE_TIMEOUT_MS,
});

/**
 * A process asks the primary for the generation that all others answer from; null if they have none yet. It waits for longer
 * than the primary does for {@link LIVE}: one of the others may be stopped, and must not keep this one from starting.
 */
export const LIVE_IN_ALL = defineQuestion({
  name: 'datasets.live-in-all',
  input: nothing,
  output: z.string().nullable(),
  timeoutMs: 2 * LIVE_TIMEOUT_MS,
});
