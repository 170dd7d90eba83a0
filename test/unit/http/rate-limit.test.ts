import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateLimiter } from '../../../src/http/access/rate-limit.js';
import { createHitStore } from '../../../src/tallies/hit-store.js';

const KEY = { id: 'one' };

/** A limiter over a clock that the test moves. */
function limiterAt(max: number, windowSeconds = 60) {
  let nowMs = 0;
  const limiter = createRateLimiter({ max, hits: createHitStore({ windowSeconds, now: () => nowMs }) });
  return {
    limiter,
    hitAt: (atMs: number, key: { id: string; rateLimitMax?: number } = KEY) => {
      nowMs = atMs;
      return limiter.hit(key);
    },
    activeKeysAt: (atMs: number) => {
      nowMs = atMs;
      return limiter.activeKeys();
    },
  };
}

test('as many requests as the limit are accepted, with the places left and the seconds until one becomes free', () => {
  const { hitAt } = limiterAt(2);
  expect(hitAt(0)).toEqual({ limit: 2, remaining: 1, resetSeconds: 60, refused: false });
  expect(hitAt(1500)).toEqual({ limit: 2, remaining: 0, resetSeconds: 59, refused: false });
  expect(hitAt(59_999)).toEqual({ limit: 2, remaining: 0, resetSeconds: 1, refused: true });
});

test('each request leaves the window when it is as old as the window', () => {
  const { hitAt } = limiterAt(2);
  hitAt(0);
  hitAt(30_000);
  expect(hitAt(60_000)).toEqual({ limit: 2, remaining: 0, resetSeconds: 30, refused: false });
  expect(hitAt(60_001)).toMatchObject({ refused: true });
});

test('of many requests, each leaves the window when it is as old as the window, too', () => {
  const { hitAt } = limiterAt(40);
  for (let atMs = 0; atMs < 40; atMs++) expect(hitAt(atMs)).toMatchObject({ remaining: 39 - atMs, refused: false });
  for (let atMs = 60_000; atMs < 60_040; atMs++) {
    expect(hitAt(atMs)).toMatchObject({ remaining: 0, refused: false });
    expect(hitAt(atMs)).toMatchObject({ refused: true });
  }
  expect(hitAt(119_999)).toMatchObject({ resetSeconds: 1, refused: true });
});

test('refused requests do not count', () => {
  const { hitAt } = limiterAt(1);
  hitAt(0);
  for (let atMs = 1; atMs < 60_000; atMs += 1000) expect(hitAt(atMs)).toMatchObject({ refused: true });
  expect(hitAt(60_000)).toMatchObject({ refused: false });
});

test('each key has a limit of its own, which may differ from the default', () => {
  const { hitAt } = limiterAt(1);
  hitAt(0);
  expect(hitAt(0, { id: 'other' })).toMatchObject({ refused: false });
  expect(hitAt(0, { id: 'own', rateLimitMax: 5 })).toMatchObject({ limit: 5, remaining: 4 });
  expect(hitAt(0, { id: 'free', rateLimitMax: 0 })).toBeUndefined();
});

test('after its limit was lowered below what is counted, a key has 0 places left, not fewer', () => {
  const { hitAt } = limiterAt(0);
  for (let atMs = 0; atMs < 5; atMs++) hitAt(atMs, { id: 'own', rateLimitMax: 5 });
  expect(hitAt(5, { id: 'own', rateLimitMax: 2 })).toMatchObject({ limit: 2, remaining: 0, refused: true });
});

test('after its limit was lowered below what is counted, a key that waits as long as it is told is let in', () => {
  const { hitAt } = limiterAt(0);
  const own = (rateLimitMax: number) => ({ id: 'own', rateLimitMax });
  for (let second = 0; second < 50; second += 10) hitAt(second * 1000, own(5));
  expect(hitAt(50_000, own(2))).toMatchObject({ resetSeconds: 50, refused: true });
  expect(hitAt(69_999, own(2))).toMatchObject({ resetSeconds: 31, refused: true });
  expect(hitAt(80_000, own(2))).toMatchObject({ resetSeconds: 10, refused: true });
  expect(hitAt(90_000, own(2))).toMatchObject({ resetSeconds: 10, refused: false });
});

test('a key whose request is refused for lack of memory has no place left until some is free', () => {
  const full = {
    windowMs: 60_000,
    hit: () => ({ refused: true, count: 3, awaitedAgeMs: 20_000 }),
    activeKeys: () => 1,
  };
  const limiter = createRateLimiter({ max: 10, hits: full });
  expect(limiter.hit(KEY)).toEqual({ limit: 10, remaining: 0, resetSeconds: 40, refused: true });
});

test('a limit of 0 means no limit, and nothing is stored', () => {
  const { hitAt, activeKeysAt } = limiterAt(0);
  expect(hitAt(0)).toBeUndefined();
  expect(activeKeysAt(0)).toBe(0);
});

test('keys without a request in the window are forgotten', () => {
  const { hitAt, activeKeysAt } = limiterAt(3);
  for (let key = 0; key < 100; key++) hitAt(key, { id: `key ${key}` });
  expect(activeKeysAt(99)).toBe(100);
  expect(activeKeysAt(60_050)).toBe(49);
  expect(activeKeysAt(60_099)).toBe(0);
});

test('the limiter decides exactly as a naive list of all accepted requests', () => {
  const steps = fc.array(fc.tuple(fc.nat(4000), fc.nat(2)), { maxLength: 200 });
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 10 }),
      (steps, max, windowSeconds) => {
        const { hitAt } = limiterAt(max, windowSeconds);
        const accepted = new Map<number, number[]>();
        let nowMs = 0;
        for (const [waitMs, key] of steps) {
          nowMs += waitMs;
          const inWindow = (accepted.get(key) ?? []).filter((atMs) => atMs > nowMs - windowSeconds * 1000);
          const refused = inWindow.length >= max;
          if (!refused) inWindow.push(nowMs);
          accepted.set(key, inWindow);
          const resetSeconds = Math.ceil(((inWindow[0] ?? 0) + windowSeconds * 1000 - nowMs) / 1000);
          expect(hitAt(nowMs, { id: String(key) })).toEqual({
            limit: max,
            remaining: max - inWindow.length,
            resetSeconds,
            refused,
          });
        }
      },
    ),
  );
});
