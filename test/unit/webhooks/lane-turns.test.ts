import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Deferred, deferred } from '../../../src/core/deferred.js';
import { DELIVERY_LIMITS } from '../../../src/webhooks/delivery/delivery-limits.js';
import type { Lane, Next } from '../../../src/webhooks/delivery/lane.js';
import { createLaneTurns } from '../../../src/webhooks/delivery/lane-turns.js';

/** A lane that only has turns. */
function laneOf(subscriptionId: number, host: string, run: () => Promise<Next>): Lane {
  return {
    subscriptionId,
    owner: 'owner',
    host,
    has: () => false,
    add: () => {},
    run,
    stop: () => {},
    isStopped: () => false,
    isEmpty: () => false,
    isSaved: () => true,
    restsUntil: () => undefined,
    takeUnsaved: () => undefined,
    saved: () => {},
  };
}

function turnsWith(limits: Omit<Parameters<typeof createLaneTurns>[0]['limits'], 'afterErrorMs'>) {
  const turns = createLaneTurns({
    limits: { ...limits, afterErrorMs: 0 },
    onError: (_lane, error) => {
      throw error;
    },
  });
  onTestFinished(() => turns.close());
  return turns;
}

/** How many of so many lanes are under way, again and again when those before them have ended, until none is left. */
async function servedTogether(lanes: number, hostOf: (lane: number) => string): Promise<number[]> {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const turns = turnsWith(DELIVERY_LIMITS);
  let underWay: Deferred<Next>[] = [];
  const run = (): Promise<Next> => {
    const turn = deferred<Next>();
    underWay.push(turn);
    return turn.promise;
  };
  for (let lane = 0; lane < lanes; lane++) turns.start(laneOf(lane, hostOf(lane), run));
  const counts: number[] = [];
  do {
    // Far longer than it takes until everybody has begun who may.
    await vi.advanceTimersByTimeAsync(1000);
    counts.push(underWay.length);
    const ending = underWay;
    underWay = [];
    for (const turn of ending) turn.resolve('idle');
  } while (counts.at(-1) !== 0);
  return counts;
}

test('16 subscriptions of one host and port are served at a time, then the others', async () => {
  expect(await servedTogether(40, () => 'example.org:8080')).toEqual([16, 16, 8, 0]);
});

test('64 subscriptions are served at a time in all, then the others', async () => {
  expect(await servedTogether(150, (lane) => `${lane}.example.org`)).toEqual([64, 64, 22, 0]);
});

test('a host whose lanes wait long for the others still has no more turns at a time', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const turns = turnsWith({ concurrent: 2, concurrentPerHost: 1 });
  const others = deferred<Next>();
  for (const id of [1, 2]) turns.start(laneOf(id, `${id}.example.com`, () => others.promise));
  const served: number[] = [];
  const first = deferred<Next>();
  const run = (id: number) => (): Promise<Next> => {
    served.push(id);
    return first.promise;
  };
  turns.start(laneOf(3, 'example.org', run(3)));
  await vi.advanceTimersByTimeAsync(3_600_000);
  turns.start(laneOf(4, 'example.org', run(4)));
  others.resolve('idle');
  await vi.advanceTimersByTimeAsync(1000);
  expect(served).toEqual([3]);
  first.resolve('idle');
  await vi.advanceTimersByTimeAsync(1000);
  expect(served).toEqual([3, 4]);
});

test('whoever has more to do waits until the others have had their turn', async () => {
  const turns = turnsWith({ concurrent: 1, concurrentPerHost: 1 });
  const served: number[] = [];
  const done = deferred<void>();
  const run = (id: number) => async (): Promise<Next> => {
    served.push(id);
    await nextTurn();
    if (served.length === 9) done.resolve();
    return served.length <= 6 ? { afterMs: 0 } : 'idle';
  };
  for (const id of [1, 2, 3]) turns.start(laneOf(id, 'example.org', run(id)));
  await done.promise;
  expect(served).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
});

test('a clock that is set back an hour keeps no subscription waiting', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const turns = turnsWith(DELIVERY_LIMITS);
  const served: number[] = [];
  const run = (id: number) => (): Promise<Next> => {
    served.push(id);
    return Promise.resolve('idle');
  };
  turns.start(laneOf(1, 'example.org', run(1)));
  await vi.advanceTimersByTimeAsync(1000);
  vi.setSystemTime(Date.now() - 3_600_000);
  turns.start(laneOf(2, 'example.org', run(2)));
  turns.start(laneOf(3, 'example.com', run(3)));
  await vi.advanceTimersByTimeAsync(1000);
  expect(served).toEqual([1, 2, 3]);
});

test('a lane that fails again and again is reported once, and once more after it was served in between', async () => {
  const onError = vi.fn();
  const turns = createLaneTurns({ limits: { concurrent: 1, concurrentPerHost: 1, afterErrorMs: 0 }, onError });
  onTestFinished(() => turns.close());
  const done = deferred<void>();
  const ends: (Next | Error)[] = [
    new Error('unmounted'),
    new Error('unmounted'),
    { afterMs: 0 },
    new Error('unmounted again'),
    new Error('unmounted again'),
    'idle',
  ];
  const run = async (): Promise<Next> => {
    const end = ends.shift() ?? 'idle';
    if (end === 'idle') done.resolve();
    if (end instanceof Error) throw end;
    return end;
  };
  turns.start(laneOf(1, 'example.org', run));
  await done.promise;
  expect(onError.mock.calls.map(([lane, error]) => [lane.subscriptionId, error.message])).toEqual([
    [1, 'unmounted'],
    [1, 'unmounted again'],
  ]);
});

const LIMITS = { concurrent: 2, concurrentPerHost: 2, afterErrorMs: 5000 };

/** Turns on a clock that only advances when it is told to, and a lane whose turns end as told, the last end again and again. */
function turnsOf(...ends: (Next | Error | Promise<Next>)[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const turns = createLaneTurns({ limits: LIMITS, onError: () => {} });
  let count = 0;
  const lane = laneOf(1, 'example.org', async () => {
    const end = ends[Math.min(count++, ends.length - 1)];
    if (end instanceof Error) throw end;
    return (await end) ?? 'idle';
  });
  /** How many turns there were, so many milliseconds later. */
  const after = async (ms: number): Promise<number> => {
    await vi.advanceTimersByTimeAsync(ms);
    return count;
  };
  return { turns, lane, after };
}

test('a lane that waits has its next turn in time, also if it is started meanwhile', async () => {
  const { turns, lane, after } = turnsOf({ afterMs: 1000 });
  for (let started = 0; started < 3; started++) turns.start(lane);
  expect(await after(500)).toBe(1);
  turns.start(lane);
  expect(await after(450)).toBe(1);
  expect(await after(100)).toBe(2);
  await turns.close();
});

test('a lane that failed is left alone for as long as is set', async () => {
  const { turns, lane, after } = turnsOf(new Error('unmounted'), 'idle');
  turns.start(lane);
  expect(await after(4900)).toBe(1);
  expect(await after(200)).toBe(2);
  await turns.close();
});

test('a lane that waits can be taken out and started anew, one that has its turn cannot', async () => {
  const turn = deferred<Next>();
  const { turns, lane, after } = turnsOf({ afterMs: 1000 }, turn.promise, 'idle');
  turns.start(lane);
  expect(await after(10)).toBe(1);
  expect(turns.end(lane)).toBe(true);
  expect(await after(5000)).toBe(1);
  turns.start(lane);
  expect(await after(10)).toBe(2);
  expect(turns.end(lane)).toBe(false);
  turn.resolve('idle');
  expect(await after(10)).toBe(2);
  expect(turns.end(lane)).toBe(true);
  turns.start(lane);
  expect(await after(10)).toBe(3);
  await turns.close();
});

test.each<Next>([{ afterMs: 0 }, { afterMs: 1000 }])(
  'once closed, nobody has a turn: the running one is the last, though it ends with %o',
  async (end) => {
    const turn = deferred<Next>();
    const { turns, lane, after } = turnsOf(turn.promise);
    // The limiters have one of their own.
    const timers = vi.getTimerCount();
    turns.start(lane);
    let turnsOfOther = 0;
    turns.start(
      laneOf(2, 'example.com', async () => {
        turnsOfOther++;
        return { afterMs: 1000 };
      }),
    );
    expect(await after(10)).toBe(1);
    let isClosed = false;
    const closed = turns.close().then(() => {
      isClosed = true;
    });
    expect(vi.getTimerCount()).toBe(timers);
    expect(await after(2000)).toBe(1);
    expect([turnsOfOther, isClosed]).toEqual([1, false]);
    turn.resolve(end);
    await after(100);
    await closed;
    expect(vi.getTimerCount()).toBe(timers);
    turns.start(lane);
    expect(await after(2000)).toBe(1);
  },
);
