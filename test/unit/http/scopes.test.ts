import { expect, test } from 'vitest';
import { createScopeCheck } from '../../../src/http/access/scopes.js';
import type { Keyring } from '../../../src/keys/keyring.js';
import { APP_KEY, startTestApp } from '../../support/test-app.js';

const keyringWith = (scopes?: ReadonlySet<string>): Keyring => ({
  size: 1,
  identify: (presented) => (presented === APP_KEY ? { id: '0123456789abcdef', ...(scopes && { scopes }) } : undefined),
  findRefused: () => undefined,
});

test.each([
  ['limited to other scopes', new Set(['something']), 403],
  ['limited to this scope', new Set(['webhooks']), 200],
  ['not limited', undefined, 200],
])('webhooks with a key that is %s', async (_, scopes, status) => {
  const app = await startTestApp({ keyring: keyringWith(scopes) });
  const response = await app.get('/v1/webhooks');
  expect(response.status).toBe(status);
  if (status === 403) expect(await response.json()).toMatchObject({ detail: 'Key lacks scope webhooks.' });
});

test('a key without the scope is refused before its parameters are checked', async () => {
  const app = await startTestApp({ keyring: keyringWith(new Set()) });
  expect((await app.get('/v1/webhooks/x')).status).toBe(403);
});

test('a path stands for itself, its dots too, and a parameter for one segment', () => {
  const requireScope = createScopeCheck([{ path: '/v1/hooks.json/:id/events', scope: 'webhooks' }]);
  const isScoped = (path: string): boolean => {
    try {
      requireScope({ id: '0123456789abcdef', scopes: new Set(['read']) }, path);
      return false;
    } catch {
      return true;
    }
  };
  expect(['/v1/hooks.json/7/events', '/v1/hooks.json/7/events/'].map(isScoped)).toEqual([true, true]);
  const others = ['/v1/hooks-json/7/events', '/v1/hooks.json/7/8/events', '/v1/hooks.json//events'];
  expect(others.map(isScoped)).toEqual([false, false, false]);
});
