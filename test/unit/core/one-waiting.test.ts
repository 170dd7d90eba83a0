import { expect, test } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import { oneWaiting } from '../../../src/core/one-waiting.js';

test('what is asked for many times runs one at a time, and once more for all who asked meanwhile', async () => {
  const begun: ReturnType<typeof deferred<void>>[] = [];
  const ask = oneWaiting(() => {
    const run = deferred<void>();
    begun.push(run);
    return run.promise;
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  ask();
  await turn();
  for (let asked = 0; asked < 100; asked++) ask();
  await turn();
  expect(begun).toHaveLength(1);
  begun[0]?.resolve();
  await turn();
  expect(begun).toHaveLength(2);
  ask();
  begun[1]?.resolve();
  await turn();
  expect(begun).toHaveLength(3);
  begun[2]?.resolve();
  await turn();
  expect(begun).toHaveLength(3);
});
