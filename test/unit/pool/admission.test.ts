import { expect, test } from 'vitest';
import { createAdmission } from '../../../src/pool/admission.js';
import type { Task } from '../../../src/pool/protocol.js';

const TASK: Task = { kind: 'rankings', row: 1 };

/** Of one thread, for tasks that are each expected to take so long. */
function admissionOf(expectedMs: number, queueMaxTasks = 1000) {
  const expected = { expectMs: () => expectedMs, tookMs: () => {} };
  return createAdmission({ threads: 1, expected, queueMaxTasks, now: () => 0 });
}

test('a settled task no longer counts as work that waits', () => {
  const admission = admissionOf(1000);
  for (let turn = 0; turn < 3; turn++) {
    expect(admission.admit(TASK)).toBe(1000);
    expect(admission.admit(TASK)).toBeUndefined();
    admission.leave(1000);
  }
});

test('of several tasks, those that are not settled still count', () => {
  const admission = admissionOf(200);
  // The third uses up the burst.
  const admitted = [1, 2, 3, 4].map(() => admission.admit(TASK));
  expect(admitted).toEqual([200, 200, 200, undefined]);
  admission.leave(200);
  expect(admission.admit(TASK)).toBeUndefined();
  admission.leave(200);
  expect(admission.admit(TASK)).toBe(200);
});

test('no more tasks are accepted than may wait and are with a thread, however short they are', () => {
  const admission = admissionOf(0, 2);
  expect([1, 2, 3, 4].map(() => admission.admit(TASK))).toEqual([0, 0, 0, undefined]);
  admission.leave(0);
  expect([1, 2].map(() => admission.admit(TASK))).toEqual([0, undefined]);
});
