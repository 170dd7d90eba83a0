import { expect, test } from 'vitest';
import { share } from '../../../src/catalog/leases.js';
import { deferred } from '../../../src/core/deferred.js';

/** A shared resource, and what is done to it, in order; stopping it takes until `stopped` is resolved. */
function shared() {
  const steps: string[] = [];
  const stopped = deferred<void>();
  const resource = share('it', {
    stop: (value) => {
      steps.push(`stop ${value}`);
      return stopped.promise;
    },
    release: (value) => steps.push(`release ${value}`),
  });
  return { ...resource, steps, stopped };
}

/** Whatever follows at once has happened by the next turn. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a retired resource is stopped after its last reader, and released once it has stopped', async () => {
  const { acquire, retire, steps, stopped } = shared();
  const [first, second] = [acquire(), acquire()];
  const retired = retire();
  first.release();
  await nextTurn();
  expect(steps).toEqual([]);
  second.release();
  await nextTurn();
  expect(steps).toEqual(['stop it']);
  stopped.resolve();
  await retired;
  expect(steps).toEqual(['stop it', 'release it']);
});

test('one that nobody reads is retired at once', async () => {
  const { acquire, retire, steps, stopped } = shared();
  acquire().release();
  stopped.resolve();
  await retire();
  expect(steps).toEqual(['stop it', 'release it']);
});

test('a closed one is stopped at once, and released when it has stopped and the last reader is done', async () => {
  const { acquire, close, steps, stopped } = shared();
  const [first, second] = [acquire(), acquire()];
  const closed = close();
  expect(steps).toEqual(['stop it']);
  first.release();
  stopped.resolve();
  // Does not wait for the reader that is left.
  await closed;
  expect(steps).toEqual(['stop it']);
  second.release();
  await nextTurn();
  expect(steps).toEqual(['stop it', 'release it']);
});

test('a closed one whose readers are done keeps its memory until it has stopped, and closing waits for the release', async () => {
  const { acquire, close, steps, stopped } = shared();
  const lease = acquire();
  const closed = close();
  lease.release();
  await nextTurn();
  expect(steps).toEqual(['stop it']);
  stopped.resolve();
  await closed;
  expect(steps).toEqual(['stop it', 'release it']);
});

test('a lease that is released more often than taken is an error, since others may still read', () => {
  const { acquire } = shared();
  const lease = acquire();
  lease.release();
  expect(() => lease.release()).toThrow('a lease was released twice');
});
