import { z } from 'zod';
import { auditAround } from '../../audit/audit-log.js';
import { auditReload } from '../../audit/audit-reload.js';
import { ageSources, type LoadedSource } from '../../core/loaded-source.js';
import type { AdminDeps } from '../deps.js';
import { KEPT_GENERATIONS } from '../limits.js';
import {
  currentDatasetSchema,
  generationSchema,
  generationSummarySchema,
  pruneResultSchema,
  reloadResultSchema,
  rollbackResultSchema,
  verifyResultSchema,
} from '../schemas/datasets.js';
import { webhookPreviewSchema } from '../schemas/webhooks.js';
import { procedure, router } from '../trpc.js';

const reloadInput = z.strictObject({ dryRun: z.boolean().default(false) });
const pruneInput = z.strictObject({ keep: z.int().min(0).max(KEPT_GENERATIONS).optional() });
const verifyInput = z.strictObject({ generation: generationSchema.optional() });

/** The published datasets. */
export function datasetsRouter({ datasets, webhooks, state, now }: AdminDeps) {
  const withAges = <T extends { readonly sources: readonly LoadedSource[] }>(generation: T) => ({
    ...generation,
    sources: ageSources(generation.sources, now().getTime()),
  });
  return router({
    list: procedure.output(z.array(generationSummarySchema)).query(async () => (await datasets.list()).map(withAges)),
    current: procedure.output(currentDatasetSchema).query(async () => {
      const current = await datasets.current();
      return { ...current, live: current.live && withAges(current.live) };
    }),
    reload: procedure
      .input(reloadInput.prefault({}))
      .output(reloadResultSchema.extend({ deliveries: z.array(webhookPreviewSchema).nullable() }))
      .mutation(async ({ input: { dryRun }, ctx }) => {
        if (!dryRun) {
          const facts = { actor: ctx.actor, action: 'datasets.reload' } as const;
          return { ...(await auditReload({ state, now }, facts, () => datasets.reload())), deliveries: null };
        }
        const result = await datasets.reload({ dryRun });
        const { changed, from, to } = result;
        return { ...result, deliveries: changed ? await webhooks.preview(from, to) : [] };
      }),
    rollback: procedure
      .output(rollbackResultSchema)
      .mutation(({ ctx: { actor } }) =>
        auditReload({ state, now }, { actor, action: 'datasets.rollback' }, () => datasets.rollback()),
      ),
    prune: procedure
      .input(pruneInput.prefault({}))
      .output(pruneResultSchema)
      .mutation(({ input, ctx }) => {
        const prune = async () => {
          const result = await datasets.prune(input);
          const kept = result.kept.map(({ generation }) => generation);
          const removed = [...result.removed];
          return { result, before: { generations: [...kept, ...removed] }, after: { generations: kept } };
        };
        // On a full disk, this is what makes room.
        const options = { isUrgent: true };
        return auditAround(
          { state, now },
          { actor: ctx.actor, action: 'datasets.prune', target: null },
          prune,
          options,
        );
      }),
    verify: procedure
      .input(verifyInput.prefault({}))
      .output(verifyResultSchema)
      .query(({ input }) => datasets.verify(input.generation)),
  });
}
