import { expect, onTestFinished, test, vi } from 'vitest';
import { within } from '../../../src/pool/within.js';

test.each([
  ['has resolved', () => Promise.resolve(), undefined],
  ['has rejected', () => Promise.reject(new Error('no thread')), 'no thread'],
])('no timer is left that would keep the process alive once the promise %s', async (_, settle, reason) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const waited = within(10_000, settle()).then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(vi.getTimerCount()).toBe(1);
  expect(await waited).toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test('a promise that does not settle is waited for no longer than that', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const waited = within(10_000, new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(10_000);
  await waited;
});
