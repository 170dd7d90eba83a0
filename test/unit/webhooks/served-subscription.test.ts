import { expect, test } from 'vitest';
import { createChangeLibrary } from '../../../src/webhooks/change-library.js';
import { DELIVERY_LIMITS } from '../../../src/webhooks/delivery-limits.js';
import { createLedger } from '../../../src/webhooks/ledger.js';
import { serveSubscription } from '../../../src/webhooks/served-subscription.js';
import type { Subscriptions } from '../../../src/webhooks/subscriptions.js';
import { OWNER, prepareDeliveries } from '../../support/deliveries.js';

test('a subscription that is removed before its secret is read gets no event, and none unsigned', async () => {
  const { state, subscriptions, subscribe, datasetsDir } = await prepareDeliveries();
  const now = (): Date => new Date();
  const open = async (signingSecret: Subscriptions['signingSecret']) => {
    const id = await subscribe('http://127.0.0.1:1/', { secret: 'geheim' });
    return await serveSubscription(id, OWNER, {
      state,
      subscriptions: { get: subscriptions.get, signingSecret },
      sender: { send: () => Promise.reject(new Error('nothing is to be sent')), close: () => {} },
      ledger: createLedger({
        state,
        now,
        intervalMs: 1,
        onFailure: () => {},
        onFull: () => {},
        fullRetryMs: 1,
        stopping: new AbortController().signal,
      }),
      library: createChangeLibrary(datasetsDir),
      limits: DELIVERY_LIMITS,
      now,
      onAbandoned: () => {},
      settled: () => Promise.resolve(),
    });
  };
  expect(await open(subscriptions.signingSecret)).toBeDefined();
  const removed = await open(async (owner, id) => {
    await subscriptions.remove(owner, id);
    return await subscriptions.signingSecret(owner, id);
  });
  expect(removed).toBeUndefined();
});
