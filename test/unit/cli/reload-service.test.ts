import { afterEach, expect, test, vi } from 'vitest';
import { reloadService } from '../../../src/cli/admin/reload-service.js';
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
