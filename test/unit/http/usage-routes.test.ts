import { expect, test, vi } from 'vitest';
import { APP_KEY, startTestApp } from '../../support/test-app.js';

test('a key’s usage names routes, and tells what was refused before its route from what has none', async () => {
  const countUse = vi.fn((_keyId: string, _route: string) => {});
  const app = await startTestApp({ countUse, rateLimitMax: 3 });
  const long = { method: 'POST', headers: { 'X-API-Key': APP_KEY }, body: 'x'.repeat(300 * 1024) };
  const statuses = [];
  for (const path of ['/v1/dictionary', '/v1/nothing']) statuses.push((await app.get(path)).status);
  statuses.push((await app.get('/v1/batch', long)).status, (await app.get('/v1/dictionary')).status);
  expect(statuses).toEqual([503, 404, 413, 429]);
  const routes = countUse.mock.calls.map(([, route]) => route);
  expect(routes).toEqual(['/v1/dictionary', '(unknown)', '(refused)', '(refused)']);
});
