import { momentary } from '../answer.js';
import { oncePerTurn } from '../metrics/once-per-turn.js';
import type { Reporting } from '../metrics/reporting.js';
import { defineRoute, type Route } from '../route.js';
import { healthOperation } from './system-operations.js';

export interface HealthDeps {
  /** Why there is no dataset, in words for the operator; contains no file paths. */
  readonly absence: () => string;
  readonly reporting: Pick<Reporting, 'vitalSigns'>;
}

const SYNTHETIC = 'synthetic demo data: no value was measured';

/** GET /health: whether the service can answer (SPEC 2.14); 503 while it cannot. */
export function healthRoute({ absence, reporting }: HealthDeps): Route {
  // Needs no key, and with several processes takes the lock that each of them needs to count a request.
  const vitalSigns = oncePerTurn(reporting.vitalSigns);
  return defineRoute({
    ...healthOperation,
    handle: (_input, { lease }) => {
      const generation = lease?.value;
      const { cache, activeKeys, uptimeSeconds } = vitalSigns();
      const synthetic = generation?.dataset.tracts.description.synthetic;
      return momentary(generation ? 200 : 503, {
        status: generation ? 'ok' : 'degraded',
        database: generation ? 'connected' : 'unavailable',
        detail: generation ? (synthetic ? SYNTHETIC : null) : absence(),
        cache: { size: cache.size, max_size: cache.max_size, hit_rate: cache.hit_rate },
        rate_limiter: { active_keys: activeKeys },
        uptime_seconds: uptimeSeconds,
      });
    },
  });
}
