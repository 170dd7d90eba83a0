import type { Suite } from './lib/suite.js';

/**
 * All suites, in the order in which they run. Imported on demand: a suite that measures other processes must not carry the
 * memory of suites that run in this one.
 */
export const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  micro: async () => (await import('./micro/micro.js')).runMicro,
  geocode: async () => (await import('./geocode/geocode.js')).runGeocode,
  load: async () => (await import('./load/load.js')).runLoad,
  providers: async () => (await import('./providers/providers.js')).runProviders,
  start: async () => (await import('./start/start.js')).runStart,
  http: async () => (await import('./http/http.js')).runHttp,
  processes: async () => (await import('./processes/processes.js')).runProcesses,
  reload: async () => (await import('./reload/reload.js')).runReload,
  webhooks: async () => (await import('./webhooks/webhooks.js')).runWebhooks,
  peers: async () => (await import('./peers/peers.js')).runPeers,
  soak: async () => (await import('./soak/soak.js')).runSoak,
};

/** The suites that can measure a service that is already running, over HTTP alone. */
export const SUITES_OF_RUNNING: readonly string[] = ['http'];
