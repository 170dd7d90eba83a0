import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { CatalogError } from '../../../src/catalog/directory/catalog-error.js';
import { reloadService } from '../../../src/cli/admin/reload-service.js';
import { ADMIN_TOKEN, oneDataset, startTestPlane } from '../../support/admin-plane.js';
import { type Answer, sendJson, startFakeServer } from '../../support/fake-server.js';
import { freePort } from '../../support/free-port.js';
import { replaceCalls } from '../../support/replaced-calls.js';

afterEach(() => vi.unstubAllEnvs());

test.each(['127.0.0.1', 'localhost'])(
  'where no service runs, the line says where it was looked for, and what came of that: %s',
  async (host) => {
    vi.stubEnv('ADMIN_TOKEN', 'a-token-for-tests');
    const url = `http://${host}:${await freePort()}`;
    const line = await reloadService({ 'admin-url': url });
    expect(line).toContain(`No running service was reloaded (the admin plane cannot be reached at ${url}: `);
    expect(line).toMatch(/ECONNREFUSED.*\); the next one that starts opens the new dataset$/);
  },
);

/** Answers for the token files: with these tokens by the path's end, and for all others that they may not be read. */
function withTokens(tokens: Readonly<Record<string, string>>): void {
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  const readToken = (read: typeof fs.readFileSync, _self: unknown, args: Parameters<typeof read>) => {
    const path = String(args[0]);
    if (!path.endsWith('/admin-token')) return read(...args);
    const [, token] = Object.entries(tokens).find(([end]) => path.endsWith(end)) ?? [];
    if (token === undefined) throw denied;
    return token;
  };
  replaceCalls({ readFileSync: new Proxy(fs.readFileSync, { apply: readToken }) });
}

test('a refused token is not said to be from a file that may not be read', async () => {
  const { url } = await startTestPlane();
  withTokens({ 'state-demo/admin-token': 'another-token' });
  await expect(reloadService({ 'admin-url': url })).rejects.toThrow(
    'refused the token from state-demo/admin-token (no permission to read state/admin-token); the service keeps',
  );
});

test('a token that only other users may read is a failure: the service may well run', async () => {
  withTokens({});
  await expect(reloadService({ 'state-dir': '/var/lib/service' })).rejects.toThrow(
    'the reload failed: no permission to read the admin token, /var/lib/service/admin-token: run this as the service’s user',
  );
});

test('the line about a reload counts new tracts and those that are gone, too', async () => {
  const bySection = { demographics: 7, svi_themes: 0, places_measures: 0, epa_data: 0, sdoh_index: 0 };
  const changes = { changedTracts: 1, addedTracts: 4, removedTracts: 2, bySection };
  const [from, to] = ['cd'.repeat(16), 'ef'.repeat(16)];
  const result = { changed: true, renewed: false, dryRun: false, from, to, changes, durationMs: 1 };
  const { url } = await startTestPlane({ datasets: { ...oneDataset(), reload: () => Promise.resolve(result) } });
  vi.stubEnv('ADMIN_TOKEN', ADMIN_TOKEN);
  expect(await reloadService({ 'admin-url': url })).toBe(
    `${to} is now live in the service, in place of ${from}; tracts: 1 changed, 4 new, 2 gone`,
  );
});

test('a refused token is reported with its origin, and a URL with a path with that URL', async () => {
  const { url } = await startTestPlane();
  vi.stubEnv('ADMIN_TOKEN', 'another-token');
  await expect(reloadService({ 'admin-url': url })).rejects.toThrow(
    `the reload failed: the admin plane at ${url} refused the token from ADMIN_TOKEN; the service keeps the one that it started with`,
  );
  vi.stubEnv('ADMIN_TOKEN', ADMIN_TOKEN);
  await expect(reloadService({ 'admin-url': `${url}/foo` })).rejects.toThrow(
    `the server at ${url}/foo does not know this command; check ADMIN_URL`,
  );
});

test.each<[string, Answer]>([
  ['a page', (response) => void response.end('<html>')],
  ['JSON', (response) => sendJson(response, { status: 'ok' })],
  ['an error in JSON', (response) => sendJson(response, { error: true, detail: 'no' }, 404)],
])(
  'a server that answers with %s is reported as not an admin plane, not as a service that is not running',
  async (_, answer) => {
    const { url } = await startFakeServer(answer);
    vi.stubEnv('ADMIN_TOKEN', ADMIN_TOKEN);
    await expect(reloadService({ 'admin-url': url })).rejects.toThrow(
      `the reload failed: the server at ${url} is not an admin plane; check ADMIN_URL and ADMIN_PORT`,
    );
  },
);

test('a service that ends during the reload is reported as one that ended, and that it may have done it', async () => {
  const { url } = await startFakeServer((response, { path }) => {
    if (path === '/datasets.reload') response.destroy();
    else sendJson(response, { result: { data: [] } });
  });
  vi.stubEnv('ADMIN_TOKEN', ADMIN_TOKEN);
  await expect(reloadService({ 'admin-url': url })).rejects.toThrow(
    new RegExp(
      `^the reload failed: the service at ${url} ended before it answered \\([^)]+\\); if it still runs, ` +
        'check ADMIN_URL and ADMIN_PORT: with TLS, its URL begins with https://\nThe service may carry out the command anyway; check before you repeat it\\.$',
    ),
  );
});

test('a server that accepts the connection but does not speak HTTP is not reported as a service that is not running', async () => {
  const server = createServer((socket) => socket.on('error', () => {}).end('+PONG\r\n')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  vi.stubEnv('ADMIN_TOKEN', ADMIN_TOKEN);
  await expect(reloadService({ 'admin-url': url })).rejects.toThrow(
    `the reload failed: the admin plane cannot be reached at ${url}: `,
  );
});

test('the reason why the service refused to reload is printed without terminal control characters', async () => {
  const reload = () => Promise.reject(new CatalogError('damaged', 'a file \u001b[2J is damaged'));
  const { url } = await startTestPlane({ datasets: { ...oneDataset(), reload } });
  vi.stubEnv('ADMIN_TOKEN', ADMIN_TOKEN);
  await expect(reloadService({ 'admin-url': url })).rejects.toThrow('the reload failed: a file \\u{1b}[2J is damaged');
});
