import type { AdminDeps } from './deps.js';
import { datasetsRouter } from './procedures/datasets.js';
import { keysRouter } from './procedures/keys.js';
import { systemRouter } from './procedures/system.js';
import { webhooksRouter } from './procedures/webhooks.js';
import { router } from './trpc.js';

/** All procedures of the admin plane, at the root: `keys.issue`, `datasets.reload`, `system.status`, … */
export function createAdminRouter(deps: AdminDeps) {
  return router({
    keys: keysRouter(deps),
    datasets: datasetsRouter(deps),
    webhooks: webhooksRouter(deps),
    system: systemRouter(deps),
  });
}

/** The type that gives tRPC clients a typed interface to the admin plane. */
export type AppRouter = ReturnType<typeof createAdminRouter>;
