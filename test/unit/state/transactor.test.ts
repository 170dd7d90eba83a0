import { open } from 'lmdb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createOpeningLock } from '../../../src/state/opening-lock.js';
import { createTransactor } from '../../../src/state/transactor.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test('that commits fail is told once, though several of one moment do, and later writes fail without being tried', async () => {
  const directory = temporaryDirectory();
  const database = open<string>({ path: directory });
  const lock = createOpeningLock(directory);
  onTestFinished(async () => {
    await database.close();
    lock.close();
  });
  const broken = Object.assign(new Error('I/O error'), { code: 5 });
  // As LMDB's binding tells it: why is in a promise of its own.
  const commit = vi
    .spyOn(database, 'childTransaction')
    .mockImplementation(() =>
      Promise.reject(Object.assign(new Error('commit failed'), { commitError: Promise.reject(broken) })),
    );
  const onBroken = vi.fn();
  const reserve = { ensure: () => {}, close: () => {} };
  const transact = createTransactor({ database, directory, reserve, lock, onBroken });
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => transact(() => {})));
  const told = { code: 'io-failed', detail: 'reading or writing failed (I/O error)' };
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: told });
  expect(onBroken).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(told));
  await expect(transact(() => {})).rejects.toMatchObject({ detail: expect.stringContaining('restart the service') });
  expect(commit).toHaveBeenCalledTimes(3);
  expect(onBroken).toHaveBeenCalledOnce();
});
