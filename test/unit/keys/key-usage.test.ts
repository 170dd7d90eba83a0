import { expect, onTestFinished, test, vi } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import { createKeyUsage, USAGE_DAYS } from '../../../src/keys/key-usage.js';
import { openLiveKeys } from '../../../src/keys/live-keys.js';
import { ACTOR, KEY_SETTINGS, openKeyWorld } from '../../support/keys.js';

const DAY_SECONDS = 86_400;

test('requests are counted by day and route; processes that count the same add up', async () => {
  const world = await openKeyWorld();
  const nowMs = (): number => world.now().getTime();
  const { id } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  const one = createKeyUsage({ state: world.state, nowMs });
  const other = createKeyUsage({ state: world.state, nowMs });
  for (let count = 0; count < 3; count++) one.count(id, '/v1/context');
  other.count(id, '/v1/context');
  other.count(id, '/v1/tracts/:geoid');
  other.count('ffffffffffffffff', '/v1/context');
  await Promise.all([one.flush(), other.flush()]);
  world.advance(DAY_SECONDS);
  one.count(id, '/v1/context');
  await one.flush();
  await one.flush();
  expect(await other.read(id, 30)).toEqual([
    { day: '2026-03-02', route: '/v1/context', requests: 1 },
    { day: '2026-03-01', route: '/v1/context', requests: 4 },
    { day: '2026-03-01', route: '/v1/tracts/:geoid', requests: 1 },
  ]);
  expect(await other.read(id, 1)).toHaveLength(1);
  await world.close();
});

test('requests before and after midnight are counted apart, though they are stored together', async () => {
  const world = await openKeyWorld();
  const usage = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  usage.count('0123456789abcdef', '/v1/context');
  world.advance(DAY_SECONDS);
  for (let count = 0; count < 2; count++) usage.count('0123456789abcdef', '/v1/context');
  await usage.flush();
  expect((await usage.read('0123456789abcdef', 2)).map(({ requests }) => requests)).toEqual([2, 1]);
  await world.close();
});

test('a request at midnight is of the day that begins', async () => {
  const world = await openKeyWorld();
  const usage = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  usage.count('0123456789abcdef', '/v1/context');
  world.advance(DAY_SECONDS / 2 - 30);
  expect(world.now().toISOString()).toBe('2026-03-02T00:00:00.000Z');
  usage.count('0123456789abcdef', '/v1/context');
  expect((await usage.read('0123456789abcdef', 2)).map(({ day }) => day)).toEqual(['2026-03-02', '2026-03-01']);
  await world.close();
});

test('once a clock that was ahead is right again, requests count for the right day, and the last use is true', async () => {
  const world = await openKeyWorld();
  const usage = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  const { id } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  world.advance(2 * DAY_SECONDS);
  usage.count(id, '/v1/context');
  await usage.flush();
  world.advance(-2 * DAY_SECONDS + 60);
  for (let count = 0; count < 2; count++) usage.count(id, '/v1/context');
  await usage.flush();
  expect(await usage.read(id, 30)).toEqual([{ day: '2026-03-01', route: '/v1/context', requests: 2 }]);
  expect((await world.registry.get(id)).lastUsedAt).toBe('2026-03-01T12:01:00.000Z');
  await world.close();
});

test('the last use is told to the minute and not before the key was made, and nothing is written before the flush', async () => {
  const world = await openKeyWorld();
  const usage = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  const { id, lastUsedAt } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  expect(lastUsedAt).toBeNull();
  const transact = vi.spyOn(world.state, 'transact');
  for (let count = 0; count < 1000; count++) usage.count(id, '/v1/context');
  expect(transact).not.toHaveBeenCalled();
  expect((await world.registry.get(id)).lastUsedAt).toBeNull();
  await usage.flush();
  const { createdAt, lastUsedAt: first } = await world.registry.get(id);
  expect([createdAt, first]).toEqual(['2026-03-01T12:00:30.000Z', '2026-03-01T12:00:30.000Z']);
  // Stored together with the later one, whose time it is.
  usage.count(id, '/v1/context');
  world.advance(45);
  usage.count(id, '/v1/context');
  await usage.flush();
  expect((await world.registry.get(id)).lastUsedAt).toBe('2026-03-01T12:01:00.000Z');
  await world.close();
});

test('what cannot be stored is kept for the next time', async () => {
  const world = await openKeyWorld();
  const usage = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  usage.count('0123456789abcdef', '/v1/context');
  vi.spyOn(world.state, 'transact').mockRejectedValueOnce(new Error('full'));
  await expect(usage.flush()).rejects.toThrow('full');
  usage.count('0123456789abcdef', '/v1/context');
  await usage.flush();
  expect(await usage.read('0123456789abcdef', 1)).toMatchObject([{ requests: 2 }]);
  await world.close();
});

test('of what is stored in parts, only the parts that could not be stored are kept, and the last use with them', async () => {
  const world = await openKeyWorld();
  const usage = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  const { id } = await world.registry.issue(KEY_SETTINGS, ACTOR);
  for (let route = 0; route < 501; route++) usage.count(id, `/${route}`);
  const transact = world.state.transact;
  const spy = vi.spyOn(world.state, 'transact');
  spy.mockImplementationOnce(transact).mockImplementationOnce(() => {
    // Counted after what fails, and before that is kept.
    world.advance(60);
    usage.count(id, '/500');
    return Promise.reject(new Error('no state'));
  });
  await expect(usage.flush()).rejects.toThrow('no state');
  await usage.flush();
  const requests = (await usage.read(id, 1)).map(({ route, requests }) => [route, requests]);
  expect(requests).toHaveLength(501);
  expect(requests.filter(([, count]) => count !== 1)).toEqual([['/500', 2]]);
  expect((await world.registry.get(id)).lastUsedAt).toBe('2026-03-01T12:01:00.000Z');
  await world.close();
});

test('whoever stores waits for what is being stored already, be it in vain', async () => {
  const world = await openKeyWorld();
  const usage = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  const full = deferred<never>();
  vi.spyOn(world.state, 'transact').mockReturnValueOnce(full.promise);
  usage.count('0123456789abcdef', '/v1/context');
  const first = usage.flush();
  const second = usage.flush();
  full.reject(new Error('full'));
  await expect(first).rejects.toThrow('full');
  await second;
  expect(await usage.read('0123456789abcdef', 1)).toMatchObject([{ requests: 1 }]);
  await world.close();
});

test('usage includes counts that are not stored yet, each request once, even while they are being stored', async () => {
  const world = await openKeyWorld();
  const usage = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  const id = '0123456789abcdef';
  for (const route of ['/v1/nearby', '/v1/stats']) usage.count(id, route);
  await usage.flush();
  for (const route of ['/v1/stats', '/v1/context']) usage.count(id, route);
  usage.count('ffffffffffffffff', '/v1/stats');
  const day = '2026-03-01';
  const all = [
    { day, route: '/v1/context', requests: 1 },
    { day, route: '/v1/nearby', requests: 1 },
    { day, route: '/v1/stats', requests: 2 },
  ];
  expect(await usage.read(id, 1)).toEqual(all);
  const flushes = [usage.flush()];
  const reading = usage.read(id, 1);
  flushes.push(usage.flush());
  expect(await reading).toEqual(all);
  await Promise.all(flushes);
  expect(await usage.read(id, 1)).toEqual(all);
  await world.close();
});

test('usage waits for the counts that are just being stored, rather than leave them out', async () => {
  const world = await openKeyWorld();
  const usage = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  usage.count('0123456789abcdef', '/v1/context');
  const { transact } = world.state;
  const held = deferred<void>();
  const storing = vi.spyOn(world.state, 'transact').mockImplementationOnce(async (work) => {
    await held.promise;
    return transact(work);
  });
  const flush = usage.flush();
  await vi.waitFor(() => expect(storing).toHaveBeenCalledOnce());
  const reading = usage.read('0123456789abcdef', 1);
  held.resolve();
  expect(await reading).toMatchObject([{ requests: 1 }]);
  await flush;
  await world.close();
});

test('days that have passed long ago are forgotten', async () => {
  const world = await openKeyWorld();
  const usage = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  for (let key = 0; key < 1200; key++) usage.count(String(key), '/v1/context');
  await usage.flush();
  world.advance(USAGE_DAYS * DAY_SECONDS);
  usage.count('new', '/v1/context');
  await usage.flush();
  const stored = await world.state.dump((records) =>
    [...records].filter(({ collection }) => collection === 'api-key-usage').map(({ key: [, id] }) => id),
  );
  expect(stored).toEqual(['new']);
  await world.close();
});

test('the usage of 92 days is kept, and that of the oldest not forgotten', async () => {
  const world = await openKeyWorld();
  const usage = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  usage.count('0123456789abcdef', '/v1/context');
  await usage.flush();
  world.advance(91 * DAY_SECONDS);
  usage.count('0123456789abcdef', '/v1/context');
  await usage.flush();
  expect(await usage.read('0123456789abcdef', 92)).toHaveLength(2);
  await world.close();
});

test('what was counted is stored when the service stops', async () => {
  const world = await openKeyWorld();
  const keys = await openLiveKeys({
    state: world.state,
    entries: [],
    nowMs: () => world.now().getTime(),
    onError: (error) => {
      throw error;
    },
  });
  keys.usage.count('0123456789abcdef', '/v1/context');
  await keys.close();
  const other = createKeyUsage({ state: world.state, nowMs: () => world.now().getTime() });
  expect(await other.read('0123456789abcdef', 1)).toHaveLength(1);
  await world.close();
});

test('a stop waits for what is being stored and looked for just then, and nothing of it fails', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const world = await openKeyWorld();
  const onError = vi.fn();
  const keys = await openLiveKeys({ state: world.state, entries: [], nowMs: () => world.now().getTime(), onError });
  const ids = Array.from({ length: 1200 }, (_, at) => String(at));
  for (const id of ids) keys.usage.count(id, '/v1/context');
  vi.advanceTimersByTime(10_000);
  await keys.close();
  expect(vi.getTimerCount()).toBe(0);
  const readers = ids.map((id) => keys.usage.read(id, 1));
  expect((await Promise.all(readers)).flat()).toHaveLength(ids.length);
  await world.close();
  expect(onError).not.toHaveBeenCalled();
});

test('that counts cannot be stored is told once, and again when it happens after some were stored', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const world = await openKeyWorld();
  const onError = vi.fn();
  const keys = await openLiveKeys({ state: world.state, entries: [], nowMs: () => world.now().getTime(), onError });
  const told = async (): Promise<unknown[]> => {
    keys.usage.count('0123456789abcdef', '/v1/context');
    vi.advanceTimersByTime(10_000);
    // Ends after the one that the timer began.
    await keys.usage.flush().catch(() => {});
    return onError.mock.calls.map(([, what]) => what);
  };
  const failing = () => vi.spyOn(world.state, 'transact').mockRejectedValue(new Error('full'));
  const firstFailure = failing();
  await told();
  expect(await told()).toEqual(['usage-unwritten']);
  firstFailure.mockRestore();
  await told();
  const secondFailure = failing();
  expect(await told()).toEqual(['usage-unwritten', 'usage-unwritten']);
  secondFailure.mockRestore();
  await keys.close();
  await world.close();
});
