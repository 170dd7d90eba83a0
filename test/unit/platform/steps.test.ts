import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runAtOnce, runBeside, type Steps } from '../../../src/platform/steps.js';

function* steps(done: string[], last: () => string): Steps<string> {
  done.push('one');
  yield;
  done.push('two');
  yield;
  return last();
}

test('runAtOnce runs all steps without a pause', () => {
  const done: string[] = [];
  expect(runAtOnce(steps(done, () => 'result'))).toBe('result');
  expect(done).toEqual(['one', 'two']);
});

test('runBeside lets other work run after each step', async () => {
  const done: string[] = [];
  const result = runBeside(steps(done, () => 'result'));
  await setImmediate();
  done.push('another');
  expect(await result).toBe('result');
  expect(done).toEqual(['one', 'another', 'two']);
});

test('a step that throws ends both kinds of run', async () => {
  const fails = (): Steps<string> =>
    steps([], () => {
      throw new RangeError('the last');
    });
  expect(() => runAtOnce(fails())).toThrow('the last');
  await expect(runBeside(fails())).rejects.toThrow('the last');
});
