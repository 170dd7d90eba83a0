import { expect, test } from 'vitest';
import { createSecretBox } from '../../../src/state/secret-box.js';
import { StateError } from '../../../src/state/state-error.js';
import type { StateStore } from '../../../src/state/store.js';
import { createSubscriptions } from '../../../src/webhooks/subscriptions.js';
import { APP_KEY, startTestApp } from '../../support/test-app.js';

/** Subscriptions in a state that cannot be written to, for this reason. */
function subscriptionsFailing(code: 'disk-full' | 'io-failed') {
  const failed = (): Promise<never> => Promise.reject(new StateError(code, '/state', 'no space left to store this'));
  const state: StateStore = { directory: '/state', read: failed, transact: failed, dump: failed, close: failed };
  const policy = { httpsOnly: false, allowedHosts: new Set<string>() };
  return createSubscriptions({ state, secrets: createSecretBox(Buffer.alloc(32, 1)), policy, now: () => new Date() });
}

const HEADERS = { 'X-API-Key': APP_KEY, 'Content-Type': 'application/json' };
const CHANGES = [
  [
    '/v1/webhooks',
    { method: 'POST', body: JSON.stringify({ url: 'https://example.org/a', events: ['data.updated'] }) },
  ],
  ['/v1/webhooks/1', { method: 'DELETE' }],
] as const;

test.each(CHANGES)(
  'a change for which the disk has no space is a 503 to come back after, and logged: %s',
  async (path, init) => {
    const app = await startTestApp({ subscriptions: subscriptionsFailing('disk-full') });
    const answer = await app.get(path, { ...init, headers: HEADERS });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toEqual({
      error: true,
      status_code: 503,
      detail: 'The change could not be stored. Try again later.',
    });
    const logged = app.logLines
      .map((line): unknown => JSON.parse(line))
      .filter((line) => JSON.stringify(line).includes('"level":"error"'));
    expect(logged).toEqual([
      expect.objectContaining({
        event: 'state-disk-full',
        request_id: answer.headers.get('x-request-id'),
        reason: expect.stringContaining('no space left'),
      }),
    ]);
  },
);

test('any other failure of the state is a 500', async () => {
  const app = await startTestApp({ subscriptions: subscriptionsFailing('io-failed') });
  expect((await app.get('/v1/webhooks/1', { method: 'DELETE', headers: { 'X-API-Key': APP_KEY } })).status).toBe(500);
});
