import { z } from 'zod';
import { SECTIONS } from '../../core/metrics.js';

/** A generation's name. */
export const generationSchema = z.string().regex(/^[0-9a-f]{32}$/);
const time = z.iso.datetime();
const count = z.int().min(0);

const sources = z
  .array(
    z.object({
      source: z.string(),
      vintage: z.string().nullable(),
      fetched: z.string().nullable(),
      ageDays: count.nullable(),
    }),
  )
  .readonly();

export const generationSummarySchema = z.object({
  generation: generationSchema,
  live: z.boolean(),
  current: z.boolean(),
  previous: z.boolean(),
  pinned: z.boolean(),
  createdAt: time,
  sizeBytes: count.nullable(),
  sources,
});

const liveGenerationSchema = z.object({
  generation: generationSchema,
  since: time,
  tracts: count,
  states: count,
  synthetic: z.boolean(),
});

export const currentGenerationsSchema = z.object({
  live: liveGenerationSchema.nullable(),
  published: generationSchema.nullable(),
  previous: generationSchema.nullable(),
});

/** Includes the sources that the live generation was compiled from. */
export const currentDatasetSchema = currentGenerationsSchema.extend({
  live: liveGenerationSchema.extend({ sources }).nullable(),
});

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
});

export const rollbackResultSchema = reloadResultSchema.extend({
  withdrawn: generationSchema.nullable(),
  mended: z.boolean(),
});

export const pruneResultSchema = z.object({
  removed: z.array(generationSchema).readonly(),
  kept: z
    .array(
      z.object({
        generation: generationSchema,
        reason: z.enum(['current', 'earlier', 'pinned', 'in-use', 'unreadable', 'not-removable']),
      }),
    )
    .readonly(),
  freedBytes: count,
});

export const verifyResultSchema = z.object({
  generation: generationSchema,
  intact: z.boolean(),
  damage: z
    .array(z.object({ code: z.string(), file: z.string(), section: z.string().nullable(), message: z.string() }))
    .readonly(),
  durationMs: z.number(),
});
