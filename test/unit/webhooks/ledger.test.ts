import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { readAudit } from '../../../src/audit/audit-log.js';
import { deferred } from '../../../src/core/deferred.js';
import { openState } from '../../../src/state/open-state.js';
import type { StateStore, Transaction } from '../../../src/state/store.js';
import type { DeadLetter } from '../../../src/webhooks/attempt.js';
import { createDeliveryAccount, type Unsaved } from '../../../src/webhooks/delivery/delivery-account.js';
import { DELIVERY_LIMITS } from '../../../src/webhooks/delivery/delivery-limits.js';
import type { Work } from '../../../src/webhooks/delivery/delivery-work.js';
import { createLane, type Lane } from '../../../src/webhooks/delivery/lane.js';
import { createLedger } from '../../../src/webhooks/delivery/ledger.js';
import {
  changeSetRecords,
  cursorRecords,
  deadLetterRecords,
  NO_STATUS,
  replayRecords,
  START,
  statusRecords,
} from '../../../src/webhooks/delivery-records.js';
import type { EventMessage } from '../../../src/webhooks/events/event-message.js';
import { subscriptionRecords } from '../../../src/webhooks/subscription.js';
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

const NOTHING: Unsaved = {
  events: 0,
  progress: new Map(),
  deadLetters: [],
  replayed: new Map(),
  status: undefined,
  pause: undefined,
};
const LETTER: DeadLetter = {
  webhookId: 'msg_1',
  event: 'data.updated',
  geoid: '27001000100',
  body: '{}',
  failedAt: '2026-03-01T00:00:00.000+00:00',
  status: 422,
  failure: 'status',
};

/** A lane that only has something to store, time and again. */
function laneWith(...unsaved: readonly Partial<Unsaved>[]) {
  const waiting = [...unsaved];
  const takeUnsaved = vi.fn((): Unsaved | undefined => {
    const next = waiting.shift();
    return next && { ...NOTHING, ...next };
  });
  const lane: Lane = {
    subscriptionId: SUBSCRIPTION,
    owner: OWNER,
    host: 'example.org',
    has: () => false,
    add: () => {},
    run: () => Promise.resolve('idle'),
    stop: () => {},
    isStopped: () => false,
    isEmpty: () => false,
    isSaved: () => false,
    restsUntil: () => undefined,
    takeUnsaved,
    saved: () => {},
  };
  return { lane, takeUnsaved };
}

const ledgerOf = (transact = state.transact) =>
  createLedger({
    state: { ...state, transact },
    intervalMs: 3_600_000,
    now,
    onFailure: () => {},
    onFull: () => {},
    fullRetryMs: 1,
    stopping: new AbortController().signal,
  });

async function store(unsaved: Partial<Unsaved>): Promise<void> {
  const ledger = ledgerOf();
  ledger.changed(laneWith(unsaved).lane);
  await ledger.save();
}

/** A subscription that has two dead letters, of which the first is being sent again, and events to come. */
const subscribe = (active = true): Promise<void> =>
  state.transact((transaction) => {
    const subscription = {
      id: SUBSCRIPTION,
      url: 'https://example.org',
      events: ['data.updated' as const],
      filters: {},
      active,
      created_at: '2026-03-01T00:00:00.000+00:00',
    };
    transaction.put(subscriptionRecords, [OWNER, SUBSCRIPTION], { subscription, sealedSecret: 'sealed' });
    transaction.put(changeSetRecords, [CHANGE_SET], { from: 'a', to: 'b', at: '2026-03-01T00:00:00.000+00:00' });
    transaction.put(cursorRecords, [SUBSCRIPTION, CHANGE_SET], { owner: OWNER, position: START, waitingTracts: null });
    for (const letter of [1, 2]) {
      transaction.put(deadLetterRecords, [SUBSCRIPTION, transaction.nextId(deadLetterRecords.name)], {
        ...LETTER,
        webhookId: `msg_${letter}`,
      });
    }
    transaction.put(replayRecords, [SUBSCRIPTION, 1], OWNER);
  });

/** All that is stored of it. */
const stored = () =>
  state.read((view) => ({
    subscription: view.get(subscriptionRecords, [OWNER, SUBSCRIPTION]),
    status: view.get(statusRecords, [SUBSCRIPTION]),
    cursors: Array.from(view.range(cursorRecords)),
    replays: Array.from(view.range(replayRecords)),
    letters: Array.from(view.range(deadLetterRecords), ({ key, value }) => [key[1], value.webhookId, value.status]),
    audit: readAudit(view, { limit: 10 }).map(({ action, target, before, after }) => ({
      action,
      target,
      before,
      after,
    })),
  }));

test('one write follows the other, and whoever asks for one waits until all is stored', async () => {
  const written = [deferred<void>(), deferred<void>()];
  const begun: Promise<void>[] = [];
  const ledger = ledgerOf(async (work) => {
    const turn = written[begun.length]?.promise ?? Promise.resolve();
    begun.push(turn);
    await turn;
    return state.transact(work);
  });
  const { lane } = laneWith({ events: 1 }, { events: 2 });
  ledger.changed(lane);
  const over: number[] = [];
  const save = (number: number) => ledger.save().then(() => over.push(number));
  const first = save(1);
  await nextTurn();
  ledger.changed(lane);
  const others = [save(2), save(3)];
  await nextTurn();
  expect(begun).toHaveLength(1);
  written[0]?.resolve();
  await first;
  await nextTurn();
  expect(begun).toHaveLength(2);
  expect(over).toEqual([1]);
  written[1]?.resolve();
  await Promise.all(others);
  expect(over).toEqual([1, 2, 3]);
  expect(begun).toHaveLength(2);
});

test('a lane is asked what it has to store when it has changed, and not for ever after', async () => {
  const ledger = ledgerOf();
  const { lane, takeUnsaved } = laneWith();
  ledger.changed(lane);
  for (let count = 0; count < 3; count++) await ledger.save();
  expect(takeUnsaved).toHaveBeenCalledTimes(1);
});

test('a subscription that pauses by itself keeps its secret, and the audit log says why it did', async () => {
  await subscribe();
  const status = { ...NO_STATUS, failuresInARow: 10, pausedBecause: 'failures' as const };
  await store({ pause: 'failures', status });
  const { subscription, status: storedStatus, audit } = await stored();
  expect(subscription).toMatchObject({ subscription: { active: false, url: 'https://example.org' } });
  expect(subscription?.sealedSecret).toBe('sealed');
  expect(storedStatus).toEqual(status);
  const after = { active: false, reason: 'failures', failuresInARow: 10 };
  expect(audit).toEqual([{ action: 'webhooks.pause', target: '1', before: { active: true }, after }]);
});

test('one that a maintainer has paused meanwhile is not paused again', async () => {
  await subscribe(false);
  await store({ pause: 'failures', status: NO_STATUS });
  expect((await stored()).audit).toEqual([]);
});

test('changes that can never be delivered are in the audit log, those that were delivered are not', async () => {
  await subscribe();
  await state.transact((transaction) => {
    transaction.put(changeSetRecords, [2], { from: 'b', to: 'c', at: '2026-03-01T00:00:00.000+00:00' });
    transaction.put(cursorRecords, [SUBSCRIPTION, 2], { owner: OWNER, position: START, waitingTracts: null });
  });
  await store({
    progress: new Map([
      [1, 'finished'],
      [2, 'abandoned'],
    ]),
  });
  const { cursors, audit } = await stored();
  expect(cursors).toEqual([]);
  expect(audit).toEqual([{ action: 'webhooks.abandon', target: '1', before: { from: 'b', to: 'c' }, after: null }]);
});

test('a dead letter that failed again is kept as it failed last, beside the new ones', async () => {
  await subscribe();
  const again = { ...LETTER, status: 500 };
  const letters = [3, 4].map((letter) => ({ ...LETTER, webhookId: `msg_${letter}` }));
  await store({ replayed: new Map([[1, again]]), deadLetters: letters });
  const { letters: kept, replays } = await stored();
  expect(kept).toEqual([
    [1, 'msg_1', 500],
    [2, 'msg_2', 422],
    [3, 'msg_3', 422],
    [4, 'msg_4', 422],
  ]);
  expect(replays).toEqual([]);
});

test('a status is stored also where nothing else is, and nothing of a subscription that is gone', async () => {
  const progress = new Map([[CHANGE_SET, { position: { geoid: 1, eventsDone: 0 }, waitingTracts: 3 }]]);
  const status = { ...NO_STATUS, retried: 1 };
  const pause = 'failures';
  const nothing = { subscription: undefined, status: undefined, cursors: [], replays: [], letters: [], audit: [] };
  await store({ progress, replayed: new Map([[1, LETTER]]), deadLetters: [LETTER], status, pause });
  expect(await stored()).toEqual(nothing);
  await subscribe();
  await store({ status });
  expect((await stored()).status).toEqual(status);
});
