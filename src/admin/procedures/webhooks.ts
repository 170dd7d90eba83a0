import { z } from 'zod';
import { keyRecordSchema } from '../../keys/key-record.js';
import type { AdminDeps } from '../deps.js';
import {
  webhookAttemptsSchema,
  webhookIdSchema,
  webhookSummarySchema,
  webhookTestSchema,
} from '../schemas/webhooks.js';
import { procedure, router } from '../trpc.js';

const byId = z.strictObject({ id: webhookIdSchema });
const listInput = z.strictObject({
  owner: keyRecordSchema.shape.id.optional().describe('The id of a key, to list only its subscriptions.'),
});
const replayInput = z.strictObject({
  id: webhookIdSchema,
  deadLetter: webhookIdSchema
    .optional()
    .describe('The dead letter to send again; all of the subscription’s if left out.'),
});

/** The subscriptions of all keys, and their deliveries. */
export function webhooksRouter({ webhooks }: AdminDeps) {
  return router({
    list: procedure
      .input(listInput.prefault({}))
      .output(z.array(webhookSummarySchema))
      .query(({ input }) => webhooks.list(input)),
    attempts: procedure
      .input(byId)
      .output(webhookAttemptsSchema)
      .query(({ input: { id } }) => webhooks.attempts(id)),
    replay: procedure
      .input(replayInput)
      .output(z.object({ replayed: z.int().min(0) }))
      .mutation(({ input: { id, deadLetter }, ctx: { actor } }) => webhooks.replay(id, { actor, deadLetter })),
    test: procedure
      .input(byId)
      .output(webhookTestSchema)
      .mutation(({ input: { id } }) => webhooks.test(id)),
    pause: procedure
      .input(byId)
      .output(webhookSummarySchema)
      .mutation(({ input: { id }, ctx: { actor } }) => webhooks.pause(id, actor)),
    resume: procedure
      .input(byId)
      .output(webhookSummarySchema)
      .mutation(({ input: { id }, ctx: { actor } }) => webhooks.resume(id, actor)),
    delete: procedure
      .input(byId)
      .output(webhookSummarySchema)
      .mutation(({ input: { id }, ctx: { actor } }) => webhooks.remove(id, actor)),
  });
}
