import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { FormatError } from '../../../src/format/format-error.js';
import type { DeadLetter, NoResponse, Outcome } from '../../../src/webhooks/attempt.js';
import { createDeliveryAccount, type Unsaved } from '../../../src/webhooks/delivery/delivery-account.js';
import { DELIVERY_LIMITS, type DeliveryLimits } from '../../../src/webhooks/delivery/delivery-limits.js';
import { createReplayWork, type Work } from '../../../src/webhooks/delivery/delivery-work.js';
import { createLane, type Lane, type LaneOptions, type Next } from '../../../src/webhooks/delivery/lane.js';
import { NO_STATUS } from '../../../src/webhooks/delivery-records.js';
import { MissingGenerationError, UnreachableGenerationError } from '../../../src/webhooks/events/changes.js';
import type { EventMessage } from '../../../src/webhooks/events/event-message.js';

const ARRIVED: Outcome = { status: 204, failure: null, durationMs: 1 };
const status = (code: number): Outcome => ({ status: code, failure: 'status', durationMs: 1 });
const failed = (failure: NoResponse): Outcome => ({ status: null, failure, durationMs: 1 });

const messageOf = (name: string): EventMessage => ({ event: 'data.updated', geoid: name, webhookId: name, body: name });

/** Work of such events; `ends` takes what becomes of them. */
function workOf(names: readonly string[], ends: (string | DeadLetter)[], kind: Work['kind'] = 'changes', id = 1): Work {
  const waiting = [...names];
  return {
    kind,
    id,
    current: () => (waiting[0] === undefined ? undefined : messageOf(waiting[0])),
    done: (end) => {
      ends.push(end === 'arrived' ? `arrived ${waiting[0]}` : end);
      waiting.shift();
    },
  };
}

/** A lane whose receiver answers as told, the last answer again and again. */
function laneWith(
  answers: readonly Outcome[],
  limits: Partial<DeliveryLimits> = {},
  before: Partial<LaneOptions> = {},
) {
  const tried: string[] = [];
  const ends: (string | DeadLetter)[] = [];
  const account = createDeliveryAccount(NO_STATUS, () => new Date('2026-03-01T00:00:00Z'));
  const onAbandoned = vi.fn();
  /** After how many attempts it was asked for. */
  const saves: number[] = [];
  const save = async (): Promise<void> => {
    saves.push(tried.length);
    const unsaved = lane.takeUnsaved();
    // As a disk does, it takes its time.
    await nextTurn();
    if (unsaved) lane.saved(unsaved);
  };
  const lane: Lane = createLane({
    subscriptionId: 1,
    owner: 'owner',
    host: 'example.org',
    account,
    deadLetters: 0,
    limits: { ...DELIVERY_LIMITS, sliceMs: 60_000, ...limits },
    restMs: 0,
    failedAttempts: {},
    attempt: ({ webhookId }) => {
      tried.push(webhookId);
      return Promise.resolve(answers[Math.min(tried.length, answers.length) - 1] ?? ARRIVED);
    },
    settled: () => Promise.resolve(),
    changed: () => {},
    save,
    onAbandoned,
    ...before,
  });
  return { lane, tried, ends, account, saves, onAbandoned };
}

/** Runs a lane to its end, and gives how long it rested. */
async function runOut(run: () => Promise<Next>): Promise<number[]> {
  const rests: number[] = [];
  for (let next = await run(); next !== 'idle'; next = await run()) rests.push(next.afterMs);
  return rests;
}

test('events go one after the other, in their order', async () => {
  const { lane, tried, ends } = laneWith([ARRIVED]);
  lane.add(workOf(['a', 'b', 'c'], ends));
  expect(await runOut(lane.run)).toEqual([]);
  expect(tried).toEqual(['a', 'b', 'c']);
  expect(ends).toEqual(['arrived a', 'arrived b', 'arrived c']);
});

test.each([
  ['a 500', status(500)],
  ['a 503', status(503)],
  ['a time-out', failed('timeout')],
  ['a lost connection', failed('network')],
  ['an unknown name', failed('dns')],
  ['a wrong certificate', failed('certificate')],
])('%s is tried again after 1 s and 2 s, then given up, and the next event follows', async (_, outcome) => {
  const { lane, tried, ends, account } = laneWith([outcome, outcome, outcome, ARRIVED]);
  lane.add(workOf(['a', 'b'], ends));
  expect(await runOut(lane.run)).toEqual([1000, 2000]);
  expect(tried).toEqual(['a', 'a', 'a', 'b']);
  expect(ends).toEqual([expect.objectContaining({ webhookId: 'a', body: 'a', failure: outcome.failure }), 'arrived b']);
  expect(account.status()).toMatchObject({ delivered: 1, retried: 2, failed: 1, failuresInARow: 0 });
  expect(account.status().recent.map(({ attempt }) => attempt)).toEqual([1, 3, 2, 1]);
});

test.each([
  ['a 400', status(400)],
  ['a 404', status(404)],
  ['a 429', status(429)],
  ['a redirect', status(302)],
  ['a refusal', failed('refused')],
  ['a secret that cannot be opened', failed('secret')],
])('%s is final', async (_, outcome) => {
  const { lane, tried, ends } = laneWith([outcome, ARRIVED]);
  lane.add(workOf(['a', 'b'], ends));
  expect(await runOut(lane.run)).toEqual([]);
  expect(tried).toEqual(['a', 'b']);
});

test('what fails at first and then arrives is not given up', async () => {
  const { lane, ends } = laneWith([status(500), failed('timeout'), ARRIVED]);
  lane.add(workOf(['a'], ends));
  expect(await runOut(lane.run)).toEqual([1000, 2000]);
  expect(ends).toEqual(['arrived a']);
});

test('a receiver that is gone is left alone for longer and longer, and paused after ten events', async () => {
  const { lane, tried, ends, account } = laneWith([status(404)]);
  lane.add(workOf('abcdefghijklmnop'.split(''), ends));
  expect(await runOut(lane.run)).toEqual([10, 20, 40, 80, 160, 320, 640, 1280].map((seconds) => seconds * 1000));
  expect(tried).toHaveLength(10);
  expect(lane.isStopped()).toBe(true);
  expect(account.take()).toMatchObject({
    pause: 'failures',
    status: { failuresInARow: 10, pausedBecause: 'failures' },
  });
});

test('a lane goes on as the one before it: what is left of its rest, then what is left of three attempts', async () => {
  const before = { restMs: 700, failedAttempts: { a: 2 } };
  const { lane, tried, ends, account } = laneWith([status(500), status(500), ARRIVED], {}, before);
  lane.add(workOf(['a', 'b'], ends));
  expect(await lane.run()).toEqual({ afterMs: 700 });
  expect(tried).toEqual([]);
  expect(await runOut(lane.run)).toEqual([1000]);
  expect(tried).toEqual(['a', 'b', 'b']);
  expect(account.status()).toMatchObject({ delivered: 1, failed: 1 });
});

test('how a failing lane goes on is kept until an event arrives', async () => {
  const { lane, ends, account } = laneWith([status(500), ARRIVED]);
  lane.add(workOf(['a'], ends));
  await lane.run();
  const rest = { until: '2026-03-01T00:00:01.000+00:00', failedAttempts: { a: 1 } };
  expect(account.take()?.status).toMatchObject({ rest });
  await lane.run();
  expect(account.take()?.status).not.toHaveProperty('rest');
});

test('a dead letter that arrives between the attempts for an event takes nothing from their count', async () => {
  const tried: string[] = [];
  const attempt = ({ webhookId }: EventMessage): Promise<Outcome> => {
    tried.push(webhookId);
    if (webhookId === 'a') return Promise.resolve(status(500));
    lane.stop();
    return Promise.resolve(ARRIVED);
  };
  const { lane, ends, account } = laneWith([], {}, { attempt });
  lane.add(workOf(['a'], ends));
  await lane.run();
  lane.add(workOf(['letter'], ends, 'replay'));
  await lane.run();
  expect(tried).toEqual(['a', 'letter']);
  expect(account.take()?.status).toMatchObject({ rest: { failedAttempts: { a: 1 } } });
});

test('an event that was given up has three attempts again when it is replayed', async () => {
  const { lane, ends, account } = laneWith([status(500)], { pauseAfterFailures: 1 });
  lane.add(workOf(['a'], ends));
  await runOut(lane.run);
  const { pause, status: stored } = account.take() ?? {};
  expect([pause, stored?.rest?.failedAttempts]).toEqual(['failures', {}]);
});

test('attempts that failed are forgotten once their event has arrived, and a dead letter that arrives leaves no rest', async () => {
  const { lane, ends, account } = laneWith([status(500), ARRIVED, status(500), ARRIVED, ARRIVED]);
  lane.add(workOf(['a', 'b'], ends));
  await lane.run();
  await lane.run();
  expect(account.status().rest?.failedAttempts).toEqual({ b: 1 });
  lane.add(workOf(['c'], ends, 'replay'));
  await lane.run();
  expect(account.status()).not.toHaveProperty('rest');
  lane.add(workOf(['d'], ends, 'replay', 2));
  await lane.run();
  expect(account.status()).not.toHaveProperty('rest');
});

test('with as many dead letters as are kept a subscription is paused, also where others arrive in between', async () => {
  const answers = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? status(400) : ARRIVED));
  const { lane, tried, ends, account } = laneWith(answers, { deadLettersMax: 5 });
  lane.add(
    workOf(
      Array.from({ length: 40 }, (_, at) => String(at)),
      ends,
    ),
  );
  await runOut(lane.run);
  expect(tried).toHaveLength(9);
  expect(account.take()).toMatchObject({ pause: 'dead-letters' });
});

test('a replay that fails again does not pause the subscription, however many dead letters there are; the following ones are sent', async () => {
  const answers = [status(400), ARRIVED, status(400), ARRIVED, ARRIVED, status(400), status(400)];
  const { lane, tried, ends, account } = laneWith(answers, { deadLettersMax: 4 }, { deadLetters: 4 });
  for (const id of [1, 2, 3, 4]) lane.add(workOf([`letter ${id}`], ends, 'replay', id));
  lane.add(workOf(['a', 'b', 'c', 'd'], ends));
  await runOut(lane.run);
  // Two letters have arrived and two have not: two more events that are given up make four again.
  expect(tried).toEqual(['letter 1', 'letter 2', 'letter 3', 'letter 4', 'a', 'b', 'c']);
  expect(account.take()).toMatchObject({ pause: 'dead-letters' });
});

test('dead letters go before changes that wait, and changes one after the other', async () => {
  const { lane, tried, ends } = laneWith([ARRIVED]);
  lane.add(workOf(['a'], ends, 'changes', 1));
  lane.add(workOf(['b'], ends, 'changes', 2));
  lane.add(workOf(['letter 1'], ends, 'replay', 1));
  lane.add(workOf(['letter 2'], ends, 'replay', 2));
  await runOut(lane.run);
  expect(tried).toEqual(['letter 1', 'letter 2', 'a', 'b']);
});

test('a stopped lane ends after the attempt under way, whose failure does not count', async () => {
  const tried: string[] = [];
  const attempt = ({ webhookId }: EventMessage): Promise<Outcome> => {
    tried.push(webhookId);
    lane.stop();
    return Promise.resolve(failed('network'));
  };
  const { lane, ends, account } = laneWith([], {}, { attempt });
  lane.add(workOf(['a', 'b'], ends));
  expect(await lane.run()).toBe('idle');
  expect(tried).toEqual(['a']);
  expect(ends).toEqual([]);
  expect(account.take()).toBeUndefined();
});

test('a lane that turns out to be stopped attempts nothing more', async () => {
  const { lane, tried, ends } = laneWith(
    [ARRIVED],
    {},
    { settled: async () => (tried.length === 2 ? lane.stop() : undefined) },
  );
  lane.add(workOf(['a', 'b', 'c'], ends));
  expect(await lane.run()).toBe('idle');
  expect(tried).toEqual(['a', 'b']);
});

test('a lane that is stopped while what it did is stored attempts nothing more', async () => {
  const tried: string[] = [];
  const { lane, ends } = laneWith(
    [],
    { unsavedMax: 1 },
    {
      attempt: ({ webhookId }) => {
        tried.push(webhookId);
        return Promise.resolve(ARRIVED);
      },
      save: async () => {
        lane.stop();
        await nextTurn();
      },
    },
  );
  lane.add(workOf(['a', 'b', 'c'], ends));
  expect(await lane.run()).toBe('idle');
  expect(tried).toEqual(['a']);
});

test('no more is done than may be repeated after a crash before it is stored', async () => {
  const { lane, ends, saves } = laneWith([ARRIVED], { unsavedMax: 3 });
  lane.add(workOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'], ends));
  await runOut(lane.run);
  expect(saves).toEqual([3, 6]);
});

test('what a write has taken counts as done and not stored until it is over', async () => {
  let writing: Unsaved | undefined;
  const tried: string[] = [];
  const { lane, ends, saves } = laneWith(
    [],
    { unsavedMax: 3 },
    {
      attempt: ({ webhookId }) => {
        tried.push(webhookId);
        if (webhookId === 'c') writing = lane.takeUnsaved();
        return Promise.resolve(ARRIVED);
      },
      save: async () => {
        saves.push(tried.length);
        // First what is under way, then all that came after it.
        for (const unsaved of [writing, lane.takeUnsaved()]) if (unsaved) lane.saved(unsaved);
        writing = undefined;
      },
    },
  );
  lane.add(workOf(['a', 'b', 'c', 'd'], ends));
  await runOut(lane.run);
  expect(saves).toEqual([3]);
});

test('a long lane lets others have their turn', async () => {
  const { lane, tried, ends } = laneWith([ARRIVED], { sliceMs: -1 });
  lane.add(workOf(['a', 'b'], ends));
  expect(await lane.run()).toEqual({ afterMs: 0 });
  expect(tried).toEqual(['a']);
});

/** Changes whose events cannot be read. */
const unreadable = (error: Error): Work => ({
  kind: 'changes',
  id: 1,
  current: () => {
    throw error;
  },
  done: () => {},
});

test.each([
  ['is gone', new MissingGenerationError('it is gone')],
  ['is damaged', new FormatError('checksum-mismatch', '/tracts.bin', 'it is gone')],
])('changes whose generation %s are abandoned, and what comes after them is told', async (_, error) => {
  const { lane, tried, ends, account, onAbandoned } = laneWith([ARRIVED]);
  lane.add(unreadable(error));
  lane.add(workOf(['a'], ends, 'changes', 2));
  await runOut(lane.run);
  expect(tried).toEqual(['a']);
  expect(onAbandoned).toHaveBeenCalledExactlyOnceWith(error.message);
  expect(account.take()?.progress.get(1)).toBe('abandoned');
});

test('changes whose generation cannot be read at the moment wait for it', async () => {
  const { lane, tried, ends, account, onAbandoned } = laneWith([ARRIVED]);
  const error = new UnreachableGenerationError('its disk is not mounted');
  lane.add(unreadable(error));
  lane.add(workOf(['a'], ends, 'changes', 2));
  for (let turn = 0; turn < 2; turn++) await expect(lane.run()).rejects.toBe(error);
  expect(tried).toEqual([]);
  expect(onAbandoned).not.toHaveBeenCalled();
  expect(account.take()).toBeUndefined();
});

test('work is known until its end is stored, changes and a dead letter of one number apart', async () => {
  const { lane, account } = laneWith([ARRIVED], { sliceMs: -1 });
  let left = 2;
  lane.add({
    kind: 'changes',
    id: 7,
    current: () => {
      if (left > 0) return messageOf(String(left));
      account.progressed(7, 'finished');
      return undefined;
    },
    done: () => account.progressed(7, { position: { geoid: 3 - left--, eventsDone: 0 }, waitingTracts: left }),
  });
  const known = (): boolean[] => [lane.has('changes', 7), lane.has('replay', 7), lane.isSaved()];
  expect(known()).toEqual([true, false, true]);
  const letter = { ...messageOf('letter'), failedAt: '2026-03-01T00:00:00Z', status: 422, failure: 'status' as const };
  lane.add(createReplayWork(7, letter, account));
  expect(known()).toEqual([true, true, true]);
  /** What is known after a turn, and then when all is stored. */
  const afterTurn = async (): Promise<boolean[][]> => {
    await lane.run();
    const unstored = known();
    const unsaved = lane.takeUnsaved();
    if (unsaved) lane.saved(unsaved);
    return [unstored, known()];
  };
  expect(await afterTurn()).toEqual([
    [true, true, false],
    [true, false, true],
  ]);
  for (let count = 0; count < 2; count++) {
    expect(await afterTurn()).toEqual([
      [true, false, false],
      [true, false, true],
    ]);
  }
  expect(await afterTurn()).toEqual([
    [true, false, false],
    [false, false, true],
  ]);
});

test('each attempt, the end of a change set and a stop have something to be stored', async () => {
  const changed = vi.fn();
  const { lane, ends } = laneWith([ARRIVED], {}, { changed });
  lane.add(workOf([], ends));
  await lane.run();
  expect(changed).toHaveBeenCalledTimes(1);
  lane.add(workOf(['a', 'b'], ends, 'changes', 2));
  await lane.run();
  expect(changed).toHaveBeenCalledTimes(4);
  lane.stop();
  expect(changed).toHaveBeenCalledTimes(5);
});
