import { z } from 'zod';
import { momentary } from '../answer.js';
import type { Generation } from '../generation.js';
import { defineRoute, type Route } from '../route.js';

export interface HealthDeps {
  readonly current: () => Generation | undefined;
  /** Why there is no dataset, in words for the operator without paths. */
  readonly absence: () => string;
  readonly cacheMaxSize: number;
  /** Milliseconds since the service started. */
  readonly uptimeMs: () => number;
}

const SYNTHETIC = 'synthetic demo data: no value was measured';

/** GET /health: whether the service can answer (SPEC 2.14); 503 while it cannot. */
export function healthRoute({ current, absence, cacheMaxSize, uptimeMs }: HealthDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/health',
    access: 'public',
    input: z.object({}),
    handle: () => {
      const generation = current();
      const synthetic = generation?.dataset.tracts.description.synthetic;
      return momentary(generation ? 200 : 503, {
        status: generation ? 'ok' : 'degraded',
        database: generation ? 'connected' : 'unavailable',
        detail: generation ? (synthetic ? SYNTHETIC : null) : absence(),
        // Nothing is cached or limited, so that nothing is held.
        cache: { size: 0, max_size: cacheMaxSize, hit_rate: 0 },
        rate_limiter: { active_keys: 0 },
        uptime_seconds: Math.round(uptimeMs()) / 1000,
      });
    },
  });
}
