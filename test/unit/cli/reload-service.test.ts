import { afterEach, expect, test, vi } from 'vitest';
import { reloadService } from '../../../src/cli/admin/reload-service.js';
import { ADMIN_TOKEN, startTestPlane } from '../../support/admin-plane.js';
import { freePort } from '../../support/free-port.js';

afterEach(() => vi.unstubAllEnvs());

test.each(['127.0.0.1', 'localhost'])(
  'where no service runs, the line says where it was looked for, and what came of that: %s',
  async (host) => {
    vi.stubEnv('ADMIN_TOKEN', 'a-token-for-tests');
    const url = `http://${host}:${await freePort()}`;
    const line = await reloadService({ 'admin-url': url });
    expect(line).toContain(`No running service was told (the admin plane cannot be reached at ${url}: `);
    expect(line).toMatch(/ECONNREFUSED.*\); one that starts takes the new dataset$/);
  },
);

test('a service that refuses the token is told of with where it is from, and one whose URL has a path with its URL', async () => {
  const { url } = await startTestPlane();
  vi.stubEnv('ADMIN_TOKEN', 'another-token');
  await expect(reloadService({ 'admin-url': url })).rejects.toThrow(
    `no service was told: the admin plane at ${url} refused the token of ADMIN_TOKEN`,
  );
  vi.stubEnv('ADMIN_TOKEN', ADMIN_TOKEN);
  await expect(reloadService({ 'admin-url': `${url}/foo` })).rejects.toThrow(
    `what the command asks for is not at ${url}/foo; see ADMIN_URL`,
  );
});
