import { expect, onTestFinished, test, vi } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import { repeatedly } from '../../../src/core/repeatedly.js';

test('work that takes longer than the interval is not begun beside itself, and is waited for at the end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const runs = [deferred<void>(), deferred<void>()];
  const work = vi.fn(() => runs[work.mock.calls.length - 1]?.promise ?? Promise.resolve());
  const end = repeatedly(work, 10);
  vi.advanceTimersByTime(35);
  expect(work).toHaveBeenCalledTimes(1);
  runs[0]?.resolve();
  await new Promise(setImmediate);
  vi.advanceTimersByTime(10);
  expect(work).toHaveBeenCalledTimes(2);
  const ended = vi.fn();
  const ending = end().then(ended);
  vi.advanceTimersByTime(100);
  await new Promise(setImmediate);
  expect(ended).not.toHaveBeenCalled();
  runs[1]?.resolve();
  await ending;
  expect(work).toHaveBeenCalledTimes(2);
});
