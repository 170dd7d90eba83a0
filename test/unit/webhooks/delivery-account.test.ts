import { expect, test } from 'vitest';
import { createDeliveryAccount } from '../../../src/webhooks/delivery-account.js';
import { NO_STATUS } from '../../../src/webhooks/delivery-records.js';

const MESSAGE = { event: 'data.updated', geoid: '27053011001', webhookId: 'msg_1', body: '{}' } as const;

test('counts are due once a second, also after the clock was set back', () => {
  const times = ['12:00:00.000', '12:00:00.500', '10:00:00.000', '10:00:00.500', '10:00:01.000'];
  let at = '';
  const account = createDeliveryAccount(NO_STATUS, () => new Date(`2026-03-01T${at}Z`));
  const due = times.map((time) => {
    at = time;
    account.attempted(MESSAGE, 1, { status: 204, failure: null, durationMs: 1 });
    account.arrived();
    return account.take()?.status?.delivered;
  });
  expect(due).toEqual([1, undefined, 3, undefined, 5]);
});
