import { expect, test } from 'vitest';
import { createRestartPolicy } from '../../../src/processes/restart-policy.js';

test('a process that has served is replaced at once, however often', () => {
  const policy = createRestartPolicy();
  for (let life = 0; life < 20; life++) {
    policy.listening();
    expect(policy.ended()).toBe(0);
  }
});

test('a process that ends before it listens is replaced at growing intervals, five times in all', () => {
  const policy = createRestartPolicy();
  expect([1, 2, 3, 4, 5].map(() => policy.ended())).toEqual([0, 100, 200, 400, undefined]);
});

test('a process that listens resets the count of failed starts', () => {
  const policy = createRestartPolicy();
  for (let start = 0; start < 4; start++) policy.ended();
  policy.listening();
  expect(policy.ended()).toBe(0);
  expect([1, 2, 3].map(() => policy.ended())).toEqual([0, 100, 200]);
});

test('a process that the machine cannot start is retried at growing intervals without limit', () => {
  const policy = createRestartPolicy();
  policy.listening();
  policy.ended();
  expect(Array.from({ length: 8 }, () => policy.unstarted())).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  policy.listening();
  expect(policy.unstarted()).toBe(100);
});
