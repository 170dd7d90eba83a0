import { z } from 'zod';
import { type Actor, type AuditedThing, auditAround } from '../../audit/audit-log.js';
import type { ReloadResult } from '../../catalog/dataset-admin.js';
import type { AdminDeps } from '../deps.js';
import {
  currentGenerationsSchema,
  generationSchema,
  generationSummarySchema,
  pruneResultSchema,
  reloadResultSchema,
  verifyResultSchema,
} from '../schemas/datasets.js';
import { webhookPreviewSchema } from '../schemas/webhooks.js';
import { procedure, router } from '../trpc.js';

const reloadInput = z.strictObject({ dryRun: z.boolean().default(false) });
const pruneInput = z.strictObject({ keep: z.int().min(0).max(1000).optional() });
const verifyInput = z.strictObject({ generation: generationSchema.optional() });

/** The published datasets. */
export function datasetsRouter({ datasets, webhooks, state, now }: AdminDeps) {
  const swap = (action: string, actor: Actor, work: () => Promise<ReloadResult>): Promise<ReloadResult> =>
    auditAround({ state, now }, { actor, action, target: null }, async () => {
      const result = await work();
      return { result, before: liveAs(result.from), after: { live: result.to, changed: result.changed } };
    });
  return router({
    list: procedure.output(z.array(generationSummarySchema)).query(() => datasets.list()),
    current: procedure.output(currentGenerationsSchema).query(() => datasets.current()),
    reload: procedure
      .input(reloadInput.prefault({}))
      .output(reloadResultSchema.extend({ deliveries: z.array(webhookPreviewSchema).nullable() }))
      .mutation(async ({ input: { dryRun }, ctx }) => {
        if (!dryRun)
          return { ...(await swap('datasets.reload', ctx.actor, () => datasets.reload())), deliveries: null };
        const result = await datasets.reload({ dryRun });
        const { changed, from, to } = result;
        return { ...result, deliveries: changed ? await webhooks.preview(from, to) : [] };
      }),
    rollback: procedure
      .output(reloadResultSchema)
      .mutation(({ ctx }) => swap('datasets.rollback', ctx.actor, () => datasets.rollback())),
    prune: procedure
      .input(pruneInput.prefault({}))
      .output(pruneResultSchema)
      .mutation(({ input, ctx }) =>
        auditAround({ state, now }, { actor: ctx.actor, action: 'datasets.prune', target: null }, async () => {
          const result = await datasets.prune(input);
          const kept = result.kept.map(({ generation }) => generation);
          const removed = [...result.removed];
          return { result, before: { generations: [...kept, ...removed] }, after: { generations: kept } };
        }),
      ),
    verify: procedure
      .input(verifyInput.prefault({}))
      .output(verifyResultSchema)
      .query(({ input }) => datasets.verify(input.generation)),
  });
}

function liveAs(generation: string | null): AuditedThing {
  return generation === null ? null : { live: generation };
}
