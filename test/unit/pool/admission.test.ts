import { expect, test } from 'vitest';
import { createAdmission } from '../../../src/pool/admission.js';
import type { Task } from '../../../src/pool/protocol.js';

const TASK: Task = { kind: 'rankings', row: 1 };

/** Of one thread, for tasks that are each expected to take so long. */
function admissionOf(expectedMs: number, queueMaxTasks = 1000) {
  const expected = { expectMs: () => expectedMs, tookMs: () => {} };
  return createAdmission({ threads: 1, expected, queueMaxTasks, now: () => 0 });
}

const openRequest = (expectedMs: number) => ({ expectedMs, isOver: false });

test('a settled task no longer counts as work that waits', () => {
  const admission = admissionOf(1000);
  for (let turn = 0; turn < 3; turn++) {
    expect(admission.admit(TASK)).toBe(1000);
    expect(admission.admit(TASK)).toBeUndefined();
    admission.leave(openRequest(1000));
  }
});

test('of several tasks, those that are not settled still count', () => {
  const admission = admissionOf(200);
  // The third uses up the burst.
  const admitted = [1, 2, 3, 4].map(() => admission.admit(TASK));
  expect(admitted).toEqual([200, 200, 200, undefined]);
  admission.leave(openRequest(200));
  expect(admission.admit(TASK)).toBeUndefined();
  admission.leave(openRequest(200));
  expect(admission.admit(TASK)).toBe(200);
});

test('no more tasks are accepted than may wait and are with a thread, however short they are', () => {
  const admission = admissionOf(0, 2);
  expect([1, 2, 3, 4].map(() => admission.admit(TASK))).toEqual([0, 0, 0, undefined]);
  admission.leave(openRequest(0));
  expect([1, 2].map(() => admission.admit(TASK))).toEqual([0, undefined]);
});

test('a request leaves once, however often it is to be settled', () => {
  const admission = admissionOf(0, 2);
  const requests = [1, 2, 3].map(() => openRequest(admission.admit(TASK) ?? Number.NaN));
  expect(requests.slice(0, 1).map(admission.leave)).toEqual([true]);
  expect(requests.slice(0, 1).map(admission.leave)).toEqual([false]);
  expect([1, 2].map(() => admission.admit(TASK))).toEqual([0, undefined]);
});
