import { expect, test, vi } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import type { QueryPool } from '../../../src/pool/pool.js';
import type { Task } from '../../../src/pool/protocol.js';
import { PoolError } from '../../../src/pool/request.js';
import { warmPool } from '../../../src/pool/warm-pool.js';

const TRACTS = { tractCount: 1000, lats: new Float64Array(1000).fill(45), lngs: new Float64Array(1000).fill(-95) };

test('warming runs one search per thread at a time, of every kind, all over the dataset', async () => {
  const [rows, kinds] = [new Set<number>(), new Set<string>()];
  let [running, most] = [0, 0];
  const runAlone = vi.fn<QueryPool['runAlone']>(async (task: Task) => {
    most = Math.max(most, ++running);
    kinds.add(task.kind);
    if (task.kind === 'rankings') rows.add(task.row);
    await new Promise(setImmediate);
    running--;
    return { ok: true, body: Buffer.alloc(0) };
  });
  await warmPool({ runAlone }, TRACTS, 3);
  expect(most).toBe(3);
  expect([...kinds]).toEqual(['nearby', 'rankings', 'providers-near']);
  expect([Math.min(...rows), Math.max(...rows)]).toEqual([0, 997]);
});

test('where a thread starts late, the others do not do its part meanwhile', async () => {
  const started = deferred<void>();
  const runAlone = vi.fn<QueryPool['runAlone']>(async () => {
    if (runAlone.mock.calls.length === 3) await started.promise;
    return { ok: true, body: Buffer.alloc(0) };
  });
  const warmed = warmPool({ runAlone }, TRACTS, 3);
  await new Promise(setImmediate);
  // The third waits with its first search, and the others have done one of each kind.
  expect(runAlone).toHaveBeenCalledTimes(1 + 2 * 3);
  started.resolve();
  await warmed;
  expect(runAlone).toHaveBeenCalledTimes(3 * 450);
});

test('a thread that ends fails the warming', async () => {
  const runAlone = () => Promise.reject(new PoolError('thread-lost'));
  await expect(warmPool({ runAlone }, TRACTS, 1)).rejects.toMatchObject({ code: 'thread-lost' });
});

test('a missed deadline does not fail the warming: deadlines are for requests', async () => {
  const runAlone = vi.fn(() => Promise.reject(new PoolError('deadline')));
  await warmPool({ runAlone }, TRACTS, 1);
  expect(runAlone).toHaveBeenCalledTimes(450);
});
