import { join } from 'node:path';
import { TRPCClientError } from '@trpc/client';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { CatalogError } from '../../../src/catalog/directory/catalog-error.js';
import { administeredByAll } from '../../../src/processes/admin-questions.js';
import type { Processes } from '../../../src/processes/primary.js';
import { StateError } from '../../../src/state/state-error.js';
import { ADMIN_TOKEN, ask, BEARER, GENERATION, oneDataset, startTestPlane } from '../../support/admin-plane.js';
import { anyText } from '../../support/any-text.js';
import { KEY_SETTINGS } from '../../support/keys.js';

/** What a client is told of an error. */
async function told(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TRPCClientError)) throw new Error('no error was told');
  return { message: error.message, ...error.data };
}

test('a key is issued, listed, changed, rotated and revoked, and is effective at once', async () => {
  const { client, world } = await startTestPlane();
  const { id, key } = await client.keys.issue.mutate({ name: 'Acme EHR', rateLimitMax: 600 });
  expect(world.keyring.identify(key)).toMatchObject({ id, rateLimitMax: 600 });
  expect(await client.keys.list.query()).toMatchObject([{ id, name: 'Acme EHR', scopes: ['read', 'webhooks'] }]);
  await client.keys.update.mutate({ id, scopes: ['read'], rateLimitMax: null });
  expect(world.keyring.identify(key)).toEqual({ id, scopes: new Set(['read']) });
  const rotated = await client.keys.rotate.mutate({ id, overlapSeconds: 0 });
  expect(world.keyring.identify(key)).toBeUndefined();
  expect(world.keyring.identify(rotated.key)?.id).toBe(id);
  expect(await client.keys.revoke.mutate({ id })).toMatchObject({ id, status: 'revoked' });
  expect(world.keyring.identify(rotated.key)).toBeUndefined();
  expect(await client.keys.get.query({ id })).toMatchObject({ status: 'revoked' });
});

test('a scope that is named twice is kept once', async () => {
  const { client } = await startTestPlane();
  const { id, scopes } = await client.keys.issue.mutate({ name: 'Acme EHR', scopes: ['read', 'read'] });
  expect(scopes).toEqual(['read']);
  await client.keys.update.mutate({ id, scopes: ['webhooks', 'read', 'webhooks'] });
  expect((await client.keys.get.query({ id })).scopes).toEqual(['webhooks', 'read']);
});

test('a key’s text is given by issue and rotate alone', async () => {
  const { client, url } = await startTestPlane();
  const { id, key } = await client.keys.issue.mutate({ name: 'Acme EHR' });
  const input = encodeURIComponent(JSON.stringify({ id }));
  const paths = ['keys.list', `keys.get?input=${input}`, 'system.audit', 'system.config', 'system.status'];
  for (const path of paths) {
    const { status, body } = await ask(`${url}/${path}`, { headers: BEARER });
    expect(status).toBe(200);
    for (const secret of [key.slice(8), ADMIN_TOKEN, 'sha256', 'secrets']) expect(body).not.toContain(secret);
  }
});

test('datasets, status, metrics and configuration can be queried', async () => {
  const { client } = await startTestPlane();
  const sources = [
    { source: 'acs', vintage: '2024', fetched: '2026-02-01', ageDays: expect.any(Number) },
    { source: 'hrsa', vintage: null, fetched: null, ageDays: null },
  ];
  expect(await client.datasets.list.query()).toMatchObject([{ generation: GENERATION, live: true, sources }]);
  expect(await client.datasets.current.query()).toMatchObject({ published: GENERATION, live: { sources } });
  expect(await client.datasets.verify.query({ generation: GENERATION })).toMatchObject({ intact: true });
  expect(await client.system.status.query()).toMatchObject({
    version: '1.2.3',
    processes: 1,
    datasets: { live: { generation: GENERATION } },
  });
  expect(await client.system.metrics.query()).toEqual({ total_requests: 3 });
  expect(await client.system.config.query()).toEqual([{ name: 'API_KEYS', value: '*** (1 set)' }]);
});

test('that no process answers is said where metrics are asked for, and is no unexpected error', async () => {
  const processes: Pick<Processes, 'broadcast'> = {
    broadcast: () => Promise.resolve([{ pid: 1, ok: false, reason: 'no answer' }]),
  };
  const { client, failed } = await startTestPlane({ metrics: administeredByAll(processes).metrics });
  expect(await told(client.system.metrics.query())).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('no process answers'),
  });
  expect(failed).not.toHaveBeenCalled();
});

test('the state directory is shown as an absolute path, however it is set', async () => {
  const { world } = await startTestPlane();
  const { client } = await startTestPlane({ state: { ...world.state, directory: 'state' } });
  expect(await client.system.status.query()).toMatchObject({ stateDirectory: join(process.cwd(), 'state') });
});

test('every change of datasets is in the audit log with who made it; what changes nothing is not', async () => {
  const { client } = await startTestPlane();
  await client.datasets.reload.mutate();
  await client.datasets.reload.mutate({ dryRun: true });
  await client.datasets.prune.mutate({ keep: 2 });
  await client.datasets.rollback.mutate().catch(() => {});
  const entries = await client.system.audit.query();
  expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([
    ['datasets.rollback', 'failed'],
    ['datasets.prune', 'done'],
    ['datasets.reload', 'done'],
  ]);
  const { id } = entries[0] ?? { id: 0 };
  expect(entries[0]).toMatchObject({
    actor: { name: 'maintainer', address: '127.0.0.1' },
    after: { error: 'no-previous' },
  });
  expect(await client.system.audit.query({ before: id, limit: 1 })).toMatchObject([{ action: 'datasets.prune' }]);
});

describe('errors tell what they are about', () => {
  test('a key that does not exist, or is revoked', async () => {
    const { client } = await startTestPlane();
    const { id } = await client.keys.issue.mutate({ name: 'Acme EHR' });
    await client.keys.revoke.mutate({ id });
    expect(await told(client.keys.get.query({ id: '0123456789abcdef' }))).toMatchObject({
      httpStatus: 404,
      code: 'NOT_FOUND',
      reason: 'key-not-found',
    });
    expect(await told(client.keys.rotate.mutate({ id }))).toMatchObject({
      code: 'PRECONDITION_FAILED',
      reason: 'key-revoked',
    });
    expect(await told(client.keys.usage.query({ id: '0123456789abcdef' }))).toMatchObject({ reason: 'key-not-found' });
  });

  test('a key from API_KEYS is known even without usage; changing it is refused with a pointer to API_KEYS', async () => {
    const id = 'fedcba9876543210';
    const { usage, client } = await startTestPlane({ configuredKeys: [id] });
    expect(await client.keys.usage.query({ id })).toEqual([]);
    usage.count(id, '/v1/context');
    expect(await client.keys.usage.query({ id })).toMatchObject([{ route: '/v1/context', requests: 1 }]);
    expect(await told(client.keys.revoke.mutate({ id }))).toMatchObject({
      message: `the key ${id} is set in API_KEYS and was not issued; change it there`,
      reason: 'key-not-found',
    });
  });

  test.each([
    [{ name: '' }, 'name: must not be empty'],
    [{ name: 'x'.repeat(201) }, 'name: must have at most 200 characters'],
    [{}, 'name: must be a text'],
    [{ name: 'x', scopes: [] }, 'scopes: must not be empty'],
    [{ name: 'x', scopes: ['write'] }, 'scopes.0: must be one of read, webhooks'],
    [{ name: 'x', expiresAt: 'tomorrow' }, 'expiresAt: must be a time such as 2027-01-31T10:00:00Z'],
    [{ name: 'x', rateLimitMax: -1 }, 'rateLimitMax: must be at least 0'],
    [{ name: 'x', rateLimitMax: 1.5 }, 'rateLimitMax: must be a whole number'],
    [{ name: 'x', role: 'admin' }, 'input: has no field role'],
  ])('input that is wrong: %j', async (input, message) => {
    const { client } = await startTestPlane();
    const error = await told(client.keys.issue.mutate(input as { name: string }));
    expect(error).toMatchObject({ httpStatus: 400, reason: 'invalid-input' });
    expect(error.message).toBe(message);
  });

  test.each([
    ['damaged', 422],
    ['unreadable', 412],
    ['busy', 409],
    ['unknown-generation', 404],
    ['not-everywhere', 503],
    ['stopped', 503],
  ] as const)('a dataset that is %s', async (code, httpStatus) => {
    const reload = () => Promise.reject(new CatalogError(code, 'why it was refused'));
    const { client, failed } = await startTestPlane({ datasets: { ...oneDataset(), reload } });
    expect(await told(client.datasets.reload.mutate())).toMatchObject({
      httpStatus,
      reason: code,
      message: 'why it was refused',
    });
    expect(failed).not.toHaveBeenCalled();
  });

  test('a full disk acknowledges no key, and is reported for the log once', async () => {
    const { client, world, failed, diskFull } = await startTestPlane();
    vi.spyOn(world.state, 'transact').mockRejectedValueOnce(new StateError('disk-full', '/state', 'no space left'));
    expect(await told(client.keys.issue.mutate({ name: 'x' }))).toMatchObject({ httpStatus: 503, reason: 'disk-full' });
    expect(await client.keys.list.query()).toEqual([]);
    expect(diskFull.mock.calls).toEqual([['keys.issue', 'state directory /state: no space left']]);
    expect(failed).not.toHaveBeenCalled();
  });

  test('on a full disk old datasets can be deleted, and a bad one rolled back, both with an audit entry', async () => {
    const { client, world } = await startTestPlane();
    const { transact } = world.state;
    const refused = vi.fn();
    vi.spyOn(world.state, 'transact').mockImplementation(async (work, options) => {
      if (options?.isUrgent) return await transact(work, options);
      refused();
      throw new StateError('disk-full', '/state', 'no space left');
    });
    await client.datasets.prune.mutate({ keep: 2 });
    expect(await told(client.datasets.rollback.mutate())).toMatchObject({ reason: 'no-previous' });
    expect(refused).not.toHaveBeenCalled();
    expect(await client.system.audit.query({ limit: 2 })).toMatchObject([
      { action: 'datasets.rollback', outcome: 'failed' },
      { action: 'datasets.prune', outcome: 'done' },
    ]);
    expect(await told(client.datasets.reload.mutate())).toMatchObject({ reason: 'disk-full' });
  });

  test('on a full disk the usage of a key is still reported, including counts that cannot be stored', async () => {
    const { usage, client, world } = await startTestPlane();
    const { id } = await client.keys.issue.mutate({ name: 'Acme EHR' });
    const full = new StateError('disk-full', '/state', 'no space left');
    const transact = vi.spyOn(world.state, 'transact').mockRejectedValue(full);
    usage.count(id, '/v1/context');
    await expect(usage.flush()).rejects.toBe(full);
    expect(await client.keys.usage.query({ id })).toMatchObject([{ route: '/v1/context', requests: 1 }]);
    transact.mockRestore();
  });

  test('on a damaged state a change reports that it was not stored, a query only what is wrong', async () => {
    const { client, world } = await startTestPlane();
    const damage = () => Promise.reject(new StateError('corrupt', '/state', 'a record of api-keys is damaged'));
    vi.spyOn(world.state, 'transact').mockImplementationOnce(damage);
    vi.spyOn(world.state, 'read').mockImplementationOnce(damage);
    const what = 'state directory /state: a record of api-keys is damaged';
    const reason = 'corrupt';
    expect(await told(client.keys.issue.mutate({ name: 'x' }))).toMatchObject({
      message: `the change was not stored: ${what}`,
      reason,
    });
    expect(await told(client.keys.list.query())).toMatchObject({ message: what, reason });
  });

  test('an unexpected error is reported without details, and logged', async () => {
    const verify = () => Promise.reject(new Error('/secret/path'));
    const { client, failed } = await startTestPlane({ datasets: { ...oneDataset(), verify } });
    const error = await told(client.datasets.verify.query());
    expect(error).toEqual({
      message: 'Internal server error.',
      code: 'INTERNAL_SERVER_ERROR',
      httpStatus: 500,
      path: 'datasets.verify',
      reason: null,
    });
    expect(failed).toHaveBeenCalledWith('datasets.verify', expect.objectContaining({ message: '/secret/path' }));
  });
});

test('whatever is sent, the answer is JSON, no bug, and shows no place in the code', { timeout: 60_000 }, async () => {
  const { url, failed, client } = await startTestPlane();
  const names = fc.constantFrom(
    'keys',
    'datasets',
    'system',
    'issue',
    'list',
    'get',
    'rotate',
    'audit',
    '__proto__',
    'then',
  );
  const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
  const lists = fc.array(paths, { minLength: 1, maxLength: 4 }).map((list) => list.join(','));
  const anyPath = fc.array(anyText(), { maxLength: 8 }).map((segments) => segments.map((each) => `/${each}`).join(''));
  const calls = fc.record({
    path: fc.oneof(lists, anyPath),
    batch: fc.constantFrom('', '?batch=1', '?batch=1&batch=2', '?input=', '?input=%7B'),
    method: fc.constantFrom('GET', 'POST'),
    body: fc.oneof(fc.json(), fc.string()),
    accept: fc.constantFrom('application/json', 'application/jsonl', 'text/event-stream'),
  });
  await fc.assert(
    fc.asyncProperty(calls, async ({ path, batch, method, body, accept }) => {
      const headers = { ...BEARER, 'content-type': 'application/json', 'trpc-accept': accept };
      const answer = await ask(`${url}/${encodeURI(path)}${batch}`, {
        method,
        headers,
        ...(method === 'POST' && { body }),
      });
      expect(answer.status).toBeLessThan(500);
      expect(answer.body).not.toMatch(/node_modules|\.js:\d|at async/);
    }),
    { numRuns: 120 },
  );
  expect(failed).not.toHaveBeenCalled();
  expect(await client.system.status.query()).toBeDefined();
});

test('the client’s name is in the log only if it is a valid name', async () => {
  const { url, client } = await startTestPlane();
  for (const user of ['ops@example.org', 'x'.repeat(65)]) {
    const headers = { ...BEARER, 'content-type': 'application/json', 'x-admin-user': user };
    await ask(`${url}/keys.issue`, { method: 'POST', headers, body: JSON.stringify({ name: KEY_SETTINGS.name }) });
  }
  const entries = await client.system.audit.query();
  expect(entries.map(({ actor }) => actor.name)).toEqual([null, 'ops@example.org']);
});
