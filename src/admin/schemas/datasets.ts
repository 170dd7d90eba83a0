import { z } from 'zod';
import {
  type CurrentGenerations,
  type GenerationSummary,
  KEEP_REASONS,
  type LiveGeneration,
  type PruneResult,
  type ReloadResult,
  type RollbackResult,
  type VerifyResult,
} from '../../catalog/admin/dataset-admin.js';
import { DAMAGE_CODES, type Damage } from '../../catalog/directory/catalog-error.js';
import type { AgedSource } from '../../core/loaded-source.js';
import { SECTIONS } from '../../core/metrics.js';

/*
 * `satisfies`: the type check fails if a schema leaves out something that the service gives, which would be cut out of
 * every answer. That a schema asks for nothing else is checked where the router names it as the output.
 */

/** A generation's name. */
export const generationSchema = z.string().regex(/^[0-9a-f]{32}$/);
const time = z.iso.datetime();
const count = z.int().min(0);

const agedSourceSchema = z.object({
  source: z.string(),
  vintage: z.string().nullable(),
  fetched: z.string().nullable(),
  ageDays: count.nullable(),
}) satisfies z.ZodType<AgedSource>;

const sources = z.array(agedSourceSchema).readonly();

export const generationSummarySchema = z.object({
  generation: generationSchema,
  live: z.boolean(),
  current: z.boolean(),
  previous: z.boolean(),
  pinned: z.boolean(),
  createdAt: time,
  sizeBytes: count.nullable(),
  sources,
}) satisfies z.ZodType<GenerationSummary>;

type LiveWithoutSources = Omit<LiveGeneration, 'sources'>;

const liveGenerationSchema = z.object({
  generation: generationSchema,
  since: time,
  tracts: count,
  states: count,
  synthetic: z.boolean(),
}) satisfies z.ZodType<LiveWithoutSources>;

/** Without the sources of the live generation, for the service's status; {@link currentDatasetSchema} has them. */
export const currentGenerationsSchema = z.object({
  live: liveGenerationSchema.nullable(),
  published: generationSchema.nullable(),
  previous: generationSchema.nullable(),
}) satisfies z.ZodType<Omit<CurrentGenerations, 'live'> & { readonly live: LiveWithoutSources | null }>;

/** Includes the sources that the live generation was compiled from. */
export const currentDatasetSchema = currentGenerationsSchema.extend({
  live: liveGenerationSchema.extend({ sources }).nullable(),
}) satisfies z.ZodType<CurrentGenerations>;

export const reloadResultSchema = z.object({
  changed: z.boolean(),
  renewed: z.boolean(),
  dryRun: z.boolean(),
  from: generationSchema.nullable(),
  to: generationSchema,
  changes: z
    .object({
      changedTracts: count,
      addedTracts: count,
      removedTracts: count,
      bySection: z.record(z.enum(SECTIONS), count),
    })
    .nullable(),
  durationMs: z.number(),
}) satisfies z.ZodType<ReloadResult>;

export const rollbackResultSchema = reloadResultSchema.extend({
  withdrawn: generationSchema.nullable(),
  mended: z.boolean(),
}) satisfies z.ZodType<RollbackResult>;

export const pruneResultSchema = z.object({
  removed: z.array(generationSchema).readonly(),
  kept: z
    .array(
      z.object({
        generation: generationSchema,
        reason: z.enum(KEEP_REASONS),
      }),
    )
    .readonly(),
  freedBytes: count,
}) satisfies z.ZodType<PruneResult>;

const damageSchema = z.object({
  code: z.enum(DAMAGE_CODES),
  file: z.string(),
  section: z.string().nullable(),
  message: z.string(),
}) satisfies z.ZodType<Damage>;

export const verifyResultSchema = z.object({
  generation: generationSchema,
  intact: z.boolean(),
  damage: z.array(damageSchema).readonly(),
  durationMs: z.number(),
}) satisfies z.ZodType<VerifyResult>;
