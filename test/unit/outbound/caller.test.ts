import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import { CallError } from '../../../src/outbound/call-error.js';
import { type CallerOptions, createCaller } from '../../../src/outbound/caller.js';

const RULES = { maxConcurrent: 1, minIntervalMs: 0, maxWaiting: 1 };

function callerWith(more: Partial<CallerOptions>) {
  return createCaller({ rules: RULES, timeoutMs: 10_000, coolDownMs: 30_000, now: () => performance.now(), ...more });
}

const reasonOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof CallError ? error.reason : error),
  );

const good = (): Promise<string> => Promise.resolve('good');

/** A call that goes on until it is cut off. */
const untilCutOff = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new CallError('timeout')));
  });

describe('the line', () => {
  test('has room again where those who waited in it gave up', async () => {
    // So long that a standstill of a second is no reason for others to give up, too.
    const caller = callerWith({ timeoutMs: 3000, rules: { ...RULES, maxWaiting: 2 } });
    const gate = deferred<string>();
    const first = reasonOf(caller.call(() => gate.promise));
    const gaveUp = [caller.call(good), caller.call(good)].map(reasonOf);
    expect(await reasonOf(caller.call(good))).toBe('busy');
    expect(await Promise.all(gaveUp)).toEqual(['busy', 'busy']);
    const newcomers = [caller.call(good), caller.call(good)].map(reasonOf);
    expect(await reasonOf(caller.call(good))).toBe('busy');
    gate.resolve('good');
    expect(await Promise.all([first, ...newcomers])).toEqual(['answered', 'answered', 'answered']);
  });

  test('leaves no more behind of those who gave up than others can use', async () => {
    const schedule = vi.spyOn(Bottleneck.prototype, 'schedule');
    onTestFinished(() => schedule.mockRestore());
    const caller = callerWith({ timeoutMs: 600, rules: { ...RULES, maxWaiting: 2 } });
    const [begun, gate] = [deferred<void>(), deferred<string>()];
    void reasonOf(
      caller.call(() => {
        begun.resolve();
        return gate.promise;
      }),
    );
    await begun.promise;
    for (let round = 0; round < 4; round++) {
      expect(await Promise.all([caller.call(good), caller.call(good)].map(reasonOf))).toEqual(['busy', 'busy']);
    }
    expect(schedule).toHaveBeenCalledTimes(3);
    gate.resolve('good');
  });

  test('is not for those who find a place free', async () => {
    const caller = callerWith({ rules: { ...RULES, maxConcurrent: 3 } });
    const reasons = Array.from({ length: 5 }, () => reasonOf(caller.call(() => sleep(20))));
    expect(await Promise.all(reasons)).toEqual(['answered', 'answered', 'answered', 'answered', 'busy']);
  });

  test('is left when a call’s time is up on its second attempt, too', async () => {
    const timeoutMs = 2000;
    // The second attempt begins shortly before the end, and would have patience until long after it.
    const againAfterMs = ({ reason }: CallError) => (reason === 'unreachable' ? 0.8 * timeoutMs : undefined);
    const caller = callerWith({ timeoutMs, againAfterMs });
    const tired = reasonOf(caller.call(() => Promise.reject(new CallError('unreachable'))));
    await sleep(0.5 * timeoutMs);
    const gate = deferred<string>();
    const holder = reasonOf(caller.call(() => gate.promise));
    expect(await tired).toBe('timeout');
    const newcomer = reasonOf(caller.call(good));
    gate.resolve('good');
    expect(await Promise.all([holder, newcomer])).toEqual(['answered', 'answered']);
  });
});

describe('the service is left alone', () => {
  const refused = { isRefusal: ({ reason }: CallError) => reason === 'status-400' };

  /** Five calls whose last attempt is cut off, having had this part of the time; and then another. */
  async function afterFive(part: number, timeoutMs: number): Promise<unknown> {
    const againAfterMs = ({ reason }: CallError) => (reason === 'status-400' ? (1 - part) * timeoutMs : undefined);
    const rules = { ...RULES, maxConcurrent: 5 };
    const caller = callerWith({ timeoutMs, rules, againAfterMs, ...refused });
    const calls = Array.from({ length: 5 }, () => {
      let attempts = part === 1 ? 1 : 0;
      return caller.call((signal) =>
        attempts++ === 0 ? Promise.reject(new CallError('status-400')) : untilCutOff(signal),
      );
    });
    expect(await Promise.all(calls.map(reasonOf))).toEqual(Array(5).fill('timeout'));
    return reasonOf(caller.call(good));
  }

  test('after calls that had their time, and brought nothing', async () => {
    expect(await afterFive(1, 1000)).toBe('cooling-down');
  });

  test('but not after calls that were cut off before they had it: they say nothing of the service', async () => {
    // As far from nothing as from half of it, and further than a busy machine is late.
    expect(await afterFive(0.25, 3000)).toBe('answered');
  });
});

describe('while the service is left alone', () => {
  test('calls are refused at once, without waiting for a turn or taking one', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let nowMs = 0;
    const take = vi.fn(() => 0);
    const caller = callerWith({
      rules: { ...RULES, minIntervalMs: 1000, maxWaiting: 100 },
      turns: { take },
      now: () => nowMs,
    });
    const failing = Array.from({ length: 5 }, () => reasonOf(caller.call(() => Promise.reject(new CallError('html')))));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await Promise.all(failing)).toEqual(Array(5).fill('html'));
    const refused = Array.from({ length: 50 }, () => reasonOf(caller.call(good)));
    // No timer may have to pass.
    expect(await Promise.race([Promise.all(refused), setImmediate('waiting')])).toEqual(Array(50).fill('cooling-down'));
    expect(take).toHaveBeenCalledTimes(5);
    nowMs = 30_000;
    const tried = reasonOf(caller.call(good));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await tried).toBe('answered');
  });

  test('no answer that was under way shortens the rest that it asked for', async () => {
    let nowMs = 0;
    const caller = callerWith({ rules: { ...RULES, maxConcurrent: 2 }, now: () => nowMs });
    const begun = [deferred<void>(), deferred<void>()];
    const answered = deferred<void>();
    const calls = [60_000, 1000].map((restMs, at) =>
      reasonOf(
        caller.call(async () => {
          begun[at]?.resolve();
          await answered.promise;
          throw new CallError('status-429', restMs);
        }),
      ),
    );
    await Promise.all(begun.map(({ promise }) => promise));
    answered.resolve();
    expect(await Promise.all(calls)).toEqual(['status-429', 'status-429']);
    nowMs = 59_999;
    expect(await reasonOf(caller.call(good))).toBe('cooling-down');
    nowMs = 60_000;
    expect(await reasonOf(caller.call(good))).toBe('answered');
  });

  test('a call is never told of a cool-down where the rest that was asked for is just ending', async () => {
    // Each reading of the clock is a little later than the one before.
    let nowMs = 0;
    const now = (): number => {
      nowMs += 0.25;
      return nowMs;
    };
    const limited = (): Promise<never> => Promise.reject(new CallError('status-429', 1000));
    for (let askedAtMs = 996; askedAtMs <= 1008; askedAtMs += 0.25) {
      nowMs = 0;
      const caller = callerWith({ now });
      await reasonOf(caller.call(limited));
      nowMs = askedAtMs;
      const outcome = await caller.call(good).catch((error: unknown) => error);
      expect(outcome).toSatisfy((it) => it === 'good' || (it instanceof CallError && it.restMs !== undefined));
    }
  });
});

test('a clock that is set back an hour keeps no call waiting, and one set forward hurries none', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const caller = callerWith({ rules: { ...RULES, minIntervalMs: 1000 } });
  const startedAtMs: number[] = [];
  const call = async (): Promise<void> => {
    void caller.call(async () => startedAtMs.push(performance.now()));
    await vi.advanceTimersByTimeAsync(1100);
  };
  await call();
  vi.setSystemTime(Date.now() - 3_600_000);
  await call();
  void caller.call(async () => startedAtMs.push(performance.now()));
  vi.setSystemTime(Date.now() + 3_600_000);
  await call();
  await call();
  expect(startedAtMs).toHaveLength(5);
  const distances = startedAtMs.slice(1).map((at, index) => at - (startedAtMs[index] ?? 0));
  // A fake timer ends on a whole millisecond.
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(999);
});
