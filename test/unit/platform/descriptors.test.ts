import { closeSync, openSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { maxDescriptors, openDescriptors, requireDescriptors } from '../../../src/platform/descriptors.js';

const isLinux = process.platform === 'linux';

test.runIf(isLinux)('open file descriptors are counted, and how many there may be is known', () => {
  const before = openDescriptors();
  const files = Array.from({ length: 5 }, () => openSync(devNull, 'r'));
  onTestFinished(() => {
    for (const file of files) closeSync(file);
  });
  expect(openDescriptors()).toBe(before + 5);
  expect(maxDescriptors()).toBeGreaterThan(before + 5);
  expect(readFileSync('/proc/self/limits', 'utf8')).toContain(` ${maxDescriptors()} `);
});

test('descriptors that are required are free again afterwards', () => {
  const open = () => (isLinux ? openDescriptors() : 0);
  const before = open();
  requireDescriptors(20);
  expect(open()).toBe(before);
});
