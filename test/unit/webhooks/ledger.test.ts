import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { openState } from '../../../src/state/open-state.js';
import type { StateStore, Transaction } from '../../../src/state/store.js';
import { createDeliveryAccount } from '../../../src/webhooks/delivery-account.js';
import { DELIVERY_LIMITS } from '../../../src/webhooks/delivery-limits.js';
import { cursorRecords, NO_STATUS, START } from '../../../src/webhooks/delivery-records.js';
import type { Work } from '../../../src/webhooks/delivery-work.js';
import type { EventMessage } from '../../../src/webhooks/event-message.js';
import { createLane } from '../../../src/webhooks/lane.js';
import { createLedger } from '../../../src/webhooks/ledger.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const SUBSCRIPTION = 1;
const CHANGE_SET = 1;
const OWNER = 'owner';
const now = (): Date => new Date('2026-03-01T00:00:00Z');

let state: StateStore;

beforeEach(async () => {
  state = await openState(temporaryDirectory());
  return () => state.close();
});

/** A disk that is busy: much happens before anything is on it. */
async function transactSlowly<T>(work: (transaction: Transaction) => T): Promise<T> {
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  return state.transact(work);
}

test('however slow the disk, a subscription is never further ahead of it than a crash may repeat', async () => {
  const [eventsMax, unsavedMax] = [200, 10];
  await state.transact((transaction) =>
    transaction.put(cursorRecords, [SUBSCRIPTION, CHANGE_SET], { owner: OWNER, position: START, waitingTracts: null }),
  );
  const stored = (): Promise<number> =>
    state.read((view) => view.get(cursorRecords, [SUBSCRIPTION, CHANGE_SET])?.position.geoid ?? 0);
  const account = createDeliveryAccount(NO_STATUS, now);
  const ledger = createLedger({
    state: { ...state, transact: transactSlowly },
    intervalMs: 1,
    now,
    onFailure: (error) => {
      throw error;
    },
    onFull: () => {},
    fullRetryMs: 1,
    stopping: new AbortController().signal,
  });
  let done = 0;
  const work: Work = {
    kind: 'changes',
    id: CHANGE_SET,
    current: () => (done < eventsMax ? messageOf(done) : undefined),
    done: () => account.progressed(CHANGE_SET, { position: { geoid: ++done, eventsDone: 0 }, waitingTracts: 0 }),
  };
  let mostAhead = 0;
  const lane = createLane({
    subscriptionId: SUBSCRIPTION,
    owner: OWNER,
    host: 'example.org',
    account,
    deadLetters: 0,
    limits: { ...DELIVERY_LIMITS, sliceMs: 60_000, unsavedMax },
    restMs: 0,
    failedAttempts: {},
    attempt: async () => {
      await nextTurn();
      // Another subscription has as much as it may.
      if (done % 7 === 0) void ledger.save();
      mostAhead = Math.max(mostAhead, done + 1 - (await stored()));
      return { status: 204, failure: null, durationMs: 1 };
    },
    settled: () => Promise.resolve(),
    changed: ledger.changed,
    save: ledger.save,
    onAbandoned: () => {},
  });
  lane.add(work);
  expect(await lane.run()).toBe('idle');
  await ledger.save();
  expect(mostAhead).toBe(unsavedMax);
  expect(await stored()).toBe(eventsMax);
});

const messageOf = (at: number): EventMessage => ({
  event: 'data.updated',
  geoid: '27001000100',
  webhookId: String(at),
  body: '',
});
