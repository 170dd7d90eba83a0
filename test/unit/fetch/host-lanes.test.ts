import { expect, onTestFinished, test, vi } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import { FetchError } from '../../../src/load/fetch/fetch-error.js';
import { createHostLanes } from '../../../src/load/fetch/host-lanes.js';
import { eventually } from '../../support/eventually.js';

/** A clock that waiting moves on. */
function lanesWithClock(maxConcurrent: number, minIntervalMs = 0) {
  const waits: number[] = [];
  let nowMs = 0;
  const lanes = createHostLanes({
    maxConcurrent,
    minIntervalMs,
    now: () => nowMs,
    sleep: async (ms) => {
      waits.push(ms);
      nowMs += ms;
    },
  });
  return { lanes, waits };
}

test('a host is asked for a few files at a time, another one meanwhile', async () => {
  const { lanes } = lanesWithClock(2);
  const started: string[] = [];
  const gates = [deferred<void>(), deferred<void>(), deferred<void>(), deferred<void>()];
  const works = ['a', 'a', 'a', 'b'].map((host, at) =>
    lanes.run(host, () => {
      started.push(`${host}${at}`);
      return gates[at]?.promise ?? Promise.resolve();
    }),
  );
  await eventually(() => expect(started.toSorted()).toEqual(['a0', 'a1', 'b3']));
  gates[0]?.resolve();
  await eventually(() => expect(started).toContain('a2'));
  for (const gate of gates) gate.resolve();
  await Promise.all(works);
});

test('nothing goes to a host while it asks to be left alone, and other hosts are not kept from anything', async () => {
  const { lanes, waits } = lanesWithClock(4);
  lanes.rest('a', 5000);
  lanes.rest('a', 1000);
  expect(await lanes.run('b', async () => 'b')).toBe('b');
  expect(waits).toEqual([]);
  expect(await lanes.run('a', async () => 'a')).toBe('a');
  expect(waits).toEqual([5000]);
});

test('nothing more goes to a host that asks for a longer rest than anyone waits, whoever has waited for it', async () => {
  const { lanes } = lanesWithClock(1);
  const gate = deferred<void>();
  const asked = lanes.run('a', async () => {
    await gate.promise;
    throw new FetchError('resting', 'asks to be left alone');
  });
  const waiting = lanes.run('a', () => expect.fail('nothing is asked of it'));
  gate.resolve();
  const refused = [asked, waiting, lanes.run('a', async () => 'a')];
  await Promise.all(refused.map((one) => expect(one).rejects.toThrow('asks to be left alone')));
  expect(await lanes.run('b', async () => 'b')).toBe('b');
});

test.each(['resting', 'stopped'] as const)(
  'any number of files that wait for a host are told together that it is asked for nothing more: %s',
  async (failure) => {
    const { lanes } = lanesWithClock(1, 500);
    const fail = () => Promise.reject(new FetchError(failure, 'no more'));
    const works = Array.from({ length: 200 }, () => lanes.run('a', fail));
    await Promise.all(works.map((work) => expect(work).rejects.toThrow('no more')));
  },
);

test('a clock that is set back an hour keeps no file waiting', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { lanes } = lanesWithClock(1);
  await lanes.run('a', async () => 'a');
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(await lanes.run('a', async () => 'again')).toBe('again');
});
