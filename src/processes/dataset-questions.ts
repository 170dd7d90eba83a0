import { z } from 'zod';
import type { CatalogErrorCode, Damage } from '../catalog/catalog-error.js';
import type { LiveGeneration } from '../catalog/dataset-admin.js';
import { defineQuestion, nothing } from './question.js';

/** Opening, and warming, takes a second or two; a busy machine gets its time. */
const PREPARE_TIMEOUT_MS = 60_000;
const COMMIT_TIMEOUT_MS = 10_000;

const generation = z.strictObject({ generation: z.string() });

/**
 * An expected error, which would lose its class on the way. Both ends are one program, so that its parts are taken as
 * told.
 */
const refusal = z.strictObject({
  ok: z.literal(false),
  code: z.custom<CatalogErrorCode>((value) => typeof value === 'string'),
  message: z.string(),
  damage: z.custom<Damage>().optional(),
});
export type Refusal = z.output<typeof refusal>;

/** The primary has a process make a generation ready. */
export const PREPARE = defineQuestion({
  name: 'datasets.prepare',
  input: generation,
  output: z.discriminatedUnion('ok', [z.strictObject({ ok: z.literal(true) }), refusal]),
  timeoutMs: PREPARE_TIMEOUT_MS,
});

/** The primary has a process take it live. */
export const COMMIT = defineQuestion({
  name: 'datasets.commit',
  input: generation,
  output: nothing,
  timeoutMs: COMMIT_TIMEOUT_MS,
});

/** The primary has a process drop it. */
export const DISCARD = defineQuestion({
  name: 'datasets.discard',
  input: generation,
  output: nothing,
  timeoutMs: COMMIT_TIMEOUT_MS,
});

/** The primary asks a process what it answers from. */
export const LIVE = defineQuestion({
  name: 'datasets.live',
  input: nothing,
  output: z.custom<LiveGeneration>().nullable(),
  timeoutMs: COMMIT_TIMEOUT_MS,
});

/** A process asks the primary what it has to answer from, which is what the others do; null where they have nothing yet. */
export const LIVE_IN_ALL = defineQuestion({
  name: 'datasets.live-in-all',
  input: nothing,
  output: z.string().nullable(),
  timeoutMs: COMMIT_TIMEOUT_MS,
});
