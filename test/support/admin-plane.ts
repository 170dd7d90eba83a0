import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished, vi } from 'vitest';
import { type AdminClient, createAdminClient } from '../../src/admin/client.js';
import type { AdminDeps } from '../../src/admin/deps.js';
import { type AdminServerOptions, listenAdmin } from '../../src/admin/server.js';
import type { DatasetAdmin, ReloadResult } from '../../src/catalog/admin/dataset-admin.js';
import { CatalogError } from '../../src/catalog/directory/catalog-error.js';
import { createKeyRegistry } from '../../src/keys/key-registry.js';
import { createKeyUsage, type KeyUsage } from '../../src/keys/key-usage.js';
import { type WebhookAdmin, WebhookError } from '../../src/webhooks/admin/webhook-admin.js';
import { type KeyWorld, openKeyWorld } from './keys.js';

export const ADMIN_TOKEN = 'a-token-for-tests';
export const GENERATION = 'ab'.repeat(16);

/** An admin plane in this process, listening on a real port, with its own state. */
export interface TestPlane {
  readonly url: string;
  readonly world: KeyWorld;
  readonly client: AdminClient;
  readonly usage: KeyUsage;
  readonly refused: ReturnType<typeof vi.fn>;
  readonly failed: ReturnType<typeof vi.fn>;
  readonly diskFull: ReturnType<typeof vi.fn>;
}

const RELOADED: ReloadResult = {
  changed: true,
  renewed: false,
  dryRun: false,
  from: null,
  to: GENERATION,
  changes: null,
  durationMs: 12.5,
};

/** A dataset administration with one live generation and no earlier one. */
export function oneDataset(): DatasetAdmin {
  const sources = [
    { source: 'acs', vintage: '2024', fetched: '2026-02-01' },
    { source: 'hrsa', vintage: null, fetched: null },
  ];
  const since = '2026-03-01T00:00:00.000Z';
  const live = { generation: GENERATION, since, tracts: 5, states: 1, synthetic: true, sources };
  const roles = { live: true, current: true, previous: false, pinned: false };
  return {
    list: () => Promise.resolve([{ generation: GENERATION, ...roles, createdAt: since, sizeBytes: 7, sources }]),
    current: () => Promise.resolve({ live, published: GENERATION, previous: null }),
    reload: ({ dryRun = false } = {}) => Promise.resolve({ ...RELOADED, dryRun }),
    rollback: () => Promise.reject(new CatalogError('no-previous', 'there is no earlier generation')),
    prune: () =>
      Promise.resolve({ removed: [], kept: [{ generation: GENERATION, reason: 'current' as const }], freedBytes: 0 }),
    verify: () => Promise.resolve({ generation: GENERATION, intact: true, damage: [], durationMs: 1 }),
  };
}

/** A webhook administration without any subscription. */
function noWebhooks(): WebhookAdmin {
  const none = () => Promise.reject(new WebhookError('unknown-subscription', 'there is no such subscription'));
  return {
    list: () => Promise.resolve([]),
    preview: () => Promise.resolve([]),
    attempts: none,
    replay: none,
    test: none,
    pause: none,
    resume: none,
    remove: none,
  };
}

export async function startTestPlane(overrides: Partial<AdminDeps & AdminServerOptions> = {}): Promise<TestPlane> {
  const world = await openKeyWorld();
  const events = { refused: vi.fn(), failed: vi.fn(), diskFull: vi.fn() };
  const own = adminDeps(world, overrides.configuredKeys);
  const deps: AdminDeps = { ...own, ...overrides };
  const options = { host: '127.0.0.1', port: 0, token: ADMIN_TOKEN, hostNames: [], events, ...overrides };
  const server = await listenAdmin(deps, options);
  onTestFinished(async () => {
    await server.close(0);
    await world.close();
  });
  const client = createAdminClient({ url: server.url, token: ADMIN_TOKEN, user: 'maintainer' });
  return { url: server.url, world, client, usage: own.usage, ...events };
}

/** The plane's dependencies: one dataset, no webhooks, and the keys of `world`. */
export function adminDeps(
  { state, now, issued }: KeyWorld,
  configuredKeys: readonly string[] = [],
): AdminDeps & { readonly usage: KeyUsage } {
  return {
    keys: createKeyRegistry({ state, now, configuredKeys }),
    usage: createKeyUsage({ state, nowMs: () => now().getTime() }),
    configuredKeys,
    keysChanged: issued.refresh,
    datasets: oneDataset(),
    webhooks: noWebhooks(),
    state,
    version: '1.2.3',
    processes: 1,
    metrics: () => Promise.resolve({ total_requests: 3 }),
    config: () => [{ name: 'API_KEYS', value: '*** (1 set)' }],
    now,
  };
}

/** Sends exactly these headers, some of which `fetch` would not allow. An empty `host` omits the Host header. */
export async function ask(
  url: string,
  init: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {},
) {
  const { method = 'GET', headers = {}, body } = init;
  return await new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const { host, ...others } = headers;
    const sent = request(
      url,
      { method, headers: host === '' ? others : headers, setHost: host !== '', agent: false },
      (response) => {
        text(response).then(
          (content) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content }),
          reject,
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export const BEARER = { authorization: `Bearer ${ADMIN_TOKEN}` };
