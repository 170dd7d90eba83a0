import { expect, test, vi } from 'vitest';
import { createChecks, patiently } from '../../../../src/catalog/admin/check-threads.js';
import type { Check, CheckReply } from '../../../../src/catalog/admin/generation-checks.js';
import { deferred } from '../../../../src/core/deferred.js';
import type { WorkPriority } from '../../../../src/platform/thread-priority.js';
import { eventually } from '../../../support/eventually.js';

const CHECK: Check = { directory: 'here', open: true };
const INTACT: CheckReply = { damage: [] };

/** Checks that end only when they are aborted, except those at one priority. */
function slow(quick?: WorkPriority) {
  return vi.fn((_: Check, signal: AbortSignal, priority: WorkPriority) =>
    priority === quick ? Promise.resolve(INTACT) : untilAborted(signal),
  );
}

function untilAborted(signal: AbortSignal): Promise<CheckReply> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

test('a check runs once, at the lowest priority, if that does not take too long', async () => {
  const run = slow('lowest');
  expect(await patiently(run)(CHECK, new AbortController().signal)).toEqual(INTACT);
  expect(run.mock.calls.map(([, , priority]) => priority)).toEqual(['lowest']);
});

test('a check that makes no progress at the lowest priority is given up, and repeated at a higher one', async () => {
  const run = slow('low');
  expect(await patiently(run, 1)(CHECK, new AbortController().signal)).toEqual(INTACT);
  expect(run.mock.calls.map(([check, signal, priority]) => [check, signal.aborted, priority])).toEqual([
    [CHECK, true, 'lowest'],
    [CHECK, false, 'low'],
  ]);
});

test('a check that fails is not repeated', async () => {
  const run = vi.fn(() => Promise.reject(new Error('no thread could be started')));
  await expect(patiently(run)(CHECK, new AbortController().signal)).rejects.toThrow('no thread could be started');
  expect(run).toHaveBeenCalledOnce();
});

test('stopping ends a check in either attempt, and waits for what it has begun', async () => {
  for (const patienceMs of [1, 60_000]) {
    const run = slow();
    const [ended, attempted] = [deferred<void>(), vi.fn()];
    const checks = createChecks(patiently(run, patienceMs), () => ended.promise);
    const verifying = expect(checks.verify('here')).rejects.toMatchObject({ code: 'stopped' });
    await eventually(() => expect(run).toHaveBeenCalledTimes(patienceMs === 1 ? 2 : 1));
    const stopped = checks.stop().then(attempted);
    await verifying;
    expect(attempted).not.toHaveBeenCalled();
    ended.resolve();
    await stopped;
    await expect(checks.verify('here')).rejects.toMatchObject({ code: 'stopped' });
    expect(run).toHaveBeenCalledTimes(patienceMs === 1 ? 2 : 1);
  }
});
