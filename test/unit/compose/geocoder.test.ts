import { expect, test, vi } from 'vitest';
import { share } from '../../../src/catalog/leases.js';
import { type MatchingGeneration, matchInPool } from '../../../src/compose/geocoder.js';
import { deferred } from '../../../src/core/deferred.js';
import { NothingToGeocodeByError } from '../../../src/geocode/geocoder.js';
import { poolError, type Reply } from '../../../src/pool/request.js';

const RANGES = {};
const matched: Reply = { ok: true, body: Buffer.from('[]') };

/** A generation that is shared, and whose pool answers what `run` does; `stop` is called when nobody reads it any more. */
function sharing(run: MatchingGeneration['pool']['run'], addresses: unknown) {
  const stop = vi.fn(() => Promise.resolve());
  return {
    shared: share<MatchingGeneration>({ dataset: { addresses }, pool: { run } }, { stop, release: () => {} }),
    stop,
  };
}

test('a generation that is replaced while it matches a batch ends only once that has its matches', async () => {
  const reply = deferred<Reply>();
  const { shared, stop } = sharing(() => reply.promise, RANGES);
  const matching = matchInPool(shared.acquire, ['150 Main St, Boston, MA']);
  const retired = shared.retire();
  await new Promise(setImmediate);
  expect(stop).not.toHaveBeenCalled();
  reply.resolve(matched);
  expect(await matching).toEqual(Buffer.from('[]'));
  await retired;
  expect(stop).toHaveBeenCalledOnce();
});

test.each([
  ['no thread can match it', () => Promise.reject(poolError('stopped')), RANGES, poolError('stopped')],
  ['no address ranges are loaded', () => Promise.resolve(matched), undefined, expect.any(NothingToGeocodeByError)],
] as const)('a generation ends also where %s', async (_, run, addresses, error) => {
  const { shared, stop } = sharing(run, addresses);
  await expect(matchInPool(shared.acquire, ['150 Main St'])).rejects.toEqual(error);
  await shared.retire();
  expect(stop).toHaveBeenCalledOnce();
});
