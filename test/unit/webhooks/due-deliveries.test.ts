import { expect, test } from 'vitest';
import { readDue } from '../../../src/webhooks/delivery/due-deliveries.js';
import type { Lane } from '../../../src/webhooks/delivery/lane.js';
import { NO_STATUS, statusRecords } from '../../../src/webhooks/delivery-records.js';
import { createOwners } from '../../../src/webhooks/owners.js';
import { ACTOR, OWNER, prepareDeliveries } from '../../support/deliveries.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

const [EARLIER, LATER] = ['2026-03-01T12:00:00.000+00:00', '2026-03-01T13:00:00.000+00:00'];

/** A subscription whose stored rest ends at {@link EARLIER}, and whether its events are due while a lane serves it. */
async function restingSubscription() {
  const deliveries = await prepareDeliveries();
  const { state } = deliveries;
  const id = await deliveries.subscribe('http://127.0.0.1:1/');
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const rest = { until: EARLIER, failedAttempts: {} };
  await state.transact((transaction) => transaction.put(statusRecords, [id], { ...NO_STATUS, rest }));
  const isDue = (lane?: Pick<Lane, 'restsUntil' | 'isSaved'>, changed = true): Promise<boolean> =>
    state.read((view) => {
      const served = lane && ({ subscriptionId: id, ...lane } as Lane);
      return readDue(view, { owners: createOwners([OWNER]), now: new Date(), laneOf: () => served, changed }).has(id);
    });
  return { ...deliveries, id, isDue };
}

const laneWith = (until: string | undefined, isSaved: boolean) => ({ restsUntil: () => until, isSaved: () => isSaved });

test('a lane goes on while it rests as is stored, or later, as far as that is not stored yet', async () => {
  const { isDue } = await restingSubscription();
  expect(await isDue()).toBe(true);
  expect(await isDue(laneWith(EARLIER, true))).toBe(true);
  expect(await isDue(laneWith(LATER, false))).toBe(true);
  expect(await isDue(laneWith(undefined, false))).toBe(true);
});

test('a lane that rests otherwise than is stored must end, and so must one whose subscription is paused', async () => {
  const { admin, id, isDue } = await restingSubscription();
  expect(await isDue(laneWith(LATER, true))).toBe(false);
  expect(await isDue(laneWith(undefined, true))).toBe(false);
  await admin.pause(id, ACTOR);
  expect(await isDue(laneWith(EARLIER, false))).toBe(false);
  expect(await isDue()).toBe(false);
});
