import { resolve } from 'node:path';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { auditEntrySchema, readAudit } from '../../audit/audit-log.js';
import type { AdminDeps } from '../deps.js';
import { AUDIT_PAGE } from '../limits.js';
import { currentGenerationsSchema } from '../schemas/datasets.js';
import { procedure, router } from '../trpc.js';

const status = z.object({
  version: z.string(),
  uptimeSeconds: z.number(),
  /** The process that the admin plane runs in. */
  pid: z.int(),
  /** How many processes answer requests. */
  processes: z.int(),
  stateDirectory: z.string(),
  datasets: currentGenerationsSchema,
});
const auditInput = z.strictObject({
  before: z.int().positive().optional().describe('The last number of the previous page.'),
  limit: z.int().min(1).max(AUDIT_PAGE).default(100),
});

/** The running service itself. */
export function systemRouter({ version, processes, state, datasets, metrics, config }: AdminDeps) {
  return router({
    status: procedure.output(status).query(async () => ({
      version,
      // `performance.now()` counts from the start of the process.
      uptimeSeconds: Math.round(performance.now() / 100) / 10,
      pid: process.pid,
      processes,
      // A relative path would mean another directory, or none, to a maintainer elsewhere.
      stateDirectory: resolve(state.directory),
      datasets: await datasets.current(),
    })),
    metrics: procedure.output(z.record(z.string(), z.unknown()).readonly()).query(async () => {
      const told = await metrics();
      if (told) return told;
      const message = 'no process answers: all are starting, stopped or being replaced; the log says which have ended';
      throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message });
    }),
    config: procedure.output(z.array(z.object({ name: z.string(), value: z.string() })).readonly()).query(config),
    audit: procedure
      .input(auditInput.prefault({}))
      .output(z.array(auditEntrySchema))
      .query(({ input }) => state.read((view) => readAudit(view, input))),
  });
}
