import { expect, test, vi } from 'vitest';
import { toByteText } from '../../../src/core/byte-text.js';
import { deferred } from '../../../src/core/deferred.js';
import { obtain } from '../../../src/core/obtain.js';
import { type Answer, data } from '../../../src/http/answer.js';
import { nameRequest, type RequestName } from '../../../src/http/cache/request-name.js';
import { createResponseCache } from '../../../src/http/cache/response-cache.js';
import { type Client, poolError } from '../../../src/pool/request.js';
import { eventually } from '../../support/eventually.js';

const ROUTE = { method: 'GET', path: '/v1/some' } as const;
const named = (input: string, generation = 'one'): RequestName => nameRequest(generation, ROUTE, input, 'test');
/** As whoever has found two inputs with one tag would name them. */
const colliding = (input: string): RequestName => ({ ...named(input), tag: named('a').tag });

function cacheOf(maxEntries: number, maxBytes = 1 << 20, live: { name: string; value?: object } = { name: 'one' }) {
  const values = new Map<string, object>();
  const value = (): object => live.value ?? obtain(values, live.name, () => ({}));
  return createResponseCache({ maxEntries, maxBytes, generation: () => live.name, live: value });
}

test('an answer is computed once and then cached', async () => {
  const cache = cacheOf(10);
  const make = vi.fn(() => Promise.resolve(data(Buffer.from('made'))));
  await cache.answer(named('a'), make);
  expect(await cache.answer(named('a'), make)).toMatchObject({ body: Buffer.from('made') });
  expect(make).toHaveBeenCalledOnce();
  expect(cache.stats()).toEqual({ hits: 1, misses: 1, size: 1, max_size: 10 });
});

test('a cached answer keeps all that the first one said beside its body', async () => {
  const cache = cacheOf(10);
  const form: Omit<Required<Answer>, 'body' | 'compressed' | 'times' | 'release'> = {
    status: 200,
    contentType: 'text/plain',
    cacheControl: 'private',
    headers: { 'X-Made': 'once' },
    variesBy: 'Accept',
    contentSecurityPolicy: "default-src 'none'",
  };
  const make = () => Promise.resolve({ ...form, body: Buffer.from('made') });
  expect(await cache.answer(named('a'), make)).toMatchObject(form);
  expect(await cache.answer(named('a'), make)).toMatchObject(form);
  expect(cache.stats()).toMatchObject({ hits: 1, misses: 1 });
});

test('a request with the same tag and another input gets its own answer', () => {
  const cache = cacheOf(10);
  cache.answer(named('a'), () => data(Buffer.from('of a')));
  expect(cache.answer(colliding('b'), () => data(Buffer.from('of b')))).toMatchObject({
    body: Buffer.from('of b'),
  });
  expect(cache.stats()).toMatchObject({ hits: 0, misses: 2 });
});

test('requests for an answer that is being computed wait for it, unless only their tags are equal', async () => {
  const cache = cacheOf(10);
  const { promise, resolve } = deferred<Answer>();
  const first = cache.answer(named('a'), () => promise);
  const again = vi.fn(() => data(Buffer.from('made again')));
  const second = cache.answer(named('a'), again);
  expect(cache.answer(colliding('b'), () => data(Buffer.from('of b')))).toMatchObject({
    body: Buffer.from('of b'),
  });
  resolve(data(Buffer.from('of a')));
  expect([await first, await second]).toMatchObject([{ body: Buffer.from('of a') }, { body: Buffer.from('of a') }]);
  expect(again).not.toHaveBeenCalled();
});

/** An answer whose body is on loan, and how often it was given back; it is overwritten then, as by the next answer. */
function borrowed(text: string) {
  const body = Buffer.from(new SharedArrayBuffer(text.length));
  body.write(text);
  const release = vi.fn(() => body.fill('z'));
  return { answer: { ...data(body), release }, release };
}

test('a borrowed answer is copied into the cache, and released at once', async () => {
  const { answer, release } = borrowed('made');
  const held = await cacheOf(10).answer(named('a'), () => Promise.resolve(answer));
  expect(String(held.body)).toBe('made');
  expect(held).not.toHaveProperty('release');
  expect(release).toHaveBeenCalledOnce();
});

test('a borrowed answer that is not cached is passed on, to be released by its receiver', async () => {
  const { answer, release } = borrowed('made');
  expect(await cacheOf(10, 1).answer(named('a'), () => Promise.resolve(answer))).toBe(answer);
  expect(release).not.toHaveBeenCalled();
});

test('a borrowed answer that several clients wait for is copied for them, and released at once', async () => {
  const { answer, release } = borrowed('made');
  const { promise, resolve } = deferred<Answer>();
  const cache = cacheOf(10, 1);
  const both = [cache.answer(named('a'), () => promise), cache.answer(named('a'), () => promise)];
  resolve(answer);
  for (const shared of await Promise.all(both)) {
    expect(String(shared.body)).toBe('made');
    expect(shared).not.toHaveProperty('release');
  }
  expect(release).toHaveBeenCalledOnce();
});

test('a failure goes to all waiting clients, and the next request tries again', async () => {
  const cache = cacheOf(10);
  const fail = () => Promise.reject(new Error('hiccup'));
  const both = [cache.answer(named('a'), fail), cache.answer(named('a'), fail)];
  for (const answer of both) await expect(answer).rejects.toThrow('hiccup');
  expect(await cache.answer(named('a'), () => Promise.resolve(data(Buffer.from('well'))))).toMatchObject({
    body: Buffer.from('well'),
  });
  expect(() =>
    cache.answer(named('b'), () => {
      throw new Error('at once');
    }),
  ).toThrow('at once');
  expect(cache.answer(named('b'), () => data(Buffer.from('well')))).toMatchObject({ body: Buffer.from('well') });
});

test('only answers with status 200 are cached', () => {
  const cache = cacheOf(10);
  cache.answer(named('a'), () => ({ status: 503, body: Buffer.from('later'), cacheControl: 'no-store' }));
  expect(cache.stats().size).toBe(0);
});

test('the cache keeps at most as many answers as allowed: the latest used of those requested again', () => {
  const cache = cacheOf(2);
  for (const name of ['a', 'b', 'a', 'c', 'c']) cache.answer(named(name), () => data(Buffer.from(name)));
  expect(cache.stats().size).toBe(2);
  const make = vi.fn(() => data(Buffer.from('new')));
  expect(cache.answer(named('a'), make)).toMatchObject({ body: Buffer.from('a') });
  expect(cache.answer(named('c'), make)).toMatchObject({ body: Buffer.from('c') });
  expect(cache.answer(named('b'), make)).toMatchObject({ body: Buffer.from('new') });
});

test.each([
  ['answers', cacheOf(2)],
  ['bytes', cacheOf(100, 1500)],
])('a one-time request evicts nothing from a cache that is full of %s', (_, cache) => {
  const ask = (name: string) => cache.answer(named(name), () => data(Buffer.from(`made for ${name}`)));
  for (const name of ['a', 'b']) ask(name);
  for (let turn = 0; turn < 1000; turn++) ask(`once ${turn}`);
  const never = vi.fn(() => data(Buffer.from('new')));
  for (const name of ['a', 'b']) {
    expect(cache.answer(named(name), never)).toMatchObject({ body: Buffer.from(`made for ${name}`) });
  }
});

test('the cache keeps at most as many bytes as allowed, compressed forms included', async () => {
  const cache = cacheOf(100, 10_000);
  const answer = await cache.answer(named('a'), () => data(Buffer.alloc(4000)));
  await cache.answer(named('b'), () => data(Buffer.alloc(4000)));
  expect(cache.stats().size).toBe(2);
  answer.compressed?.set('br', Buffer.alloc(3000));
  expect(answer.compressed?.get('br')?.byteLength).toBe(3000);
  expect(cache.stats().size).toBe(1);
  await cache.answer(named('c'), () => data(Buffer.alloc(20_000)));
  expect(cache.stats().size).toBeLessThanOrEqual(1);
});

test.each([
  [0, 1000],
  [10, 0],
])('without room (%i answers, %i bytes) every answer is computed', (maxEntries, maxBytes) => {
  const cache = cacheOf(maxEntries, maxBytes);
  const make = vi.fn(() => data(Buffer.from('made')));
  cache.answer(named('a'), make);
  cache.answer(named('a'), make);
  expect(make).toHaveBeenCalledTimes(2);
  expect(cache.stats()).toEqual({ hits: 0, misses: 0, size: 0, max_size: maxEntries });
});

test('rebuilding the files of the live generation empties the cache, and late answers from the old files are neither cached nor shared', async () => {
  const live = { name: 'one', value: {} };
  const cache = cacheOf(10, 1 << 20, live);
  cache.answer(named('a'), () => data(Buffer.from('damaged')));
  const { promise, resolve } = deferred<Answer>();
  const late = cache.answer(named('b'), () => promise);
  live.value = {};
  expect(cache.answer(named('b'), () => data(Buffer.from('mended')))).toMatchObject({ body: Buffer.from('mended') });
  resolve(data(Buffer.from('damaged, too')));
  await late;
  for (const input of ['a', 'b']) {
    expect(cache.answer(named(input), () => data(Buffer.from('mended')))).toMatchObject({
      body: Buffer.from('mended'),
    });
  }
});

test('a new generation empties the cache, and late answers of the old one are not cached', async () => {
  const live = { name: 'one' };
  const cache = cacheOf(10, 1 << 20, live);
  cache.answer(named('a'), () => data(Buffer.from('of one')));
  const { promise, resolve } = deferred<Answer>();
  const late = cache.answer(named('b'), () => promise);
  live.name = 'two';
  resolve(data(Buffer.from('of one')));
  await late;
  expect(cache.answer(named('a', 'two'), () => data(Buffer.from('of two')))).toMatchObject({
    body: Buffer.from('of two'),
  });
  expect(cache.stats().size).toBe(1);
});

test('an answer’s client counts as gone only when all waiting clients are gone', () => {
  const cache = cacheOf(10);
  const gone = { first: true, second: false };
  const make = vi.fn((_client: Client) => new Promise<Answer>(() => {}));
  cache.answer(named('a'), make, { gone: () => gone.first });
  const [client] = make.mock.calls[0] ?? [];
  expect(client?.gone()).toBe(true);
  cache.answer(named('a'), make, { gone: () => gone.second });
  expect(client?.gone()).toBe(false);
  gone.second = true;
  expect(client?.gone()).toBe(true);
  expect(make).toHaveBeenCalledOnce();
});

test('a client that joins just after an answer was abandoned gets a new one, shared with later clients', async () => {
  const cache = cacheOf(10);
  const { promise, resolve } = deferred<Answer>();
  const make = vi.fn(() => promise).mockReturnValueOnce(Promise.reject(poolError('client-gone')));
  const first = cache.answer(named('a'), make, { gone: () => true });
  const joined = [cache.answer(named('a'), make, { gone: () => false })];
  await eventually(() => expect(make).toHaveBeenCalledTimes(2));
  joined.push(cache.answer(named('a'), make));
  resolve(data(Buffer.from('made')));
  for (const answer of [first, ...joined]) expect(await answer).toMatchObject({ body: Buffer.from('made') });
  expect(make).toHaveBeenCalledTimes(2);
});

test('an answer that was abandoned by all clients is not computed again', async () => {
  const cache = cacheOf(10);
  const make = vi.fn(() => Promise.reject(poolError('client-gone')));
  await expect(cache.answer(named('a'), make, { gone: () => true })).rejects.toThrow('client-gone');
  expect(make).toHaveBeenCalledOnce();
});

test('a body within a larger buffer is cached without the rest of the buffer, and without its times', async () => {
  const cache = cacheOf(10);
  const batch = Buffer.alloc(10_000, 'x');
  const times = { queueMs: 1, queryMs: 2 };
  const make = () => Promise.resolve({ ...data(batch.subarray(100, 200)), times });
  expect(await cache.answer(named('a'), make)).toMatchObject({ times });
  const held = await cache.answer(named('a'), make);
  expect(held).toMatchObject({ times: undefined });
  const body = held.body instanceof Uint8Array ? held.body : new Uint8Array();
  expect([Buffer.from(body).toString(), body.buffer.byteLength]).toEqual(['x'.repeat(100), 100]);
});

test('a cached text is stored as bytes in memory of its own', () => {
  const cache = cacheOf(10);
  cache.answer(named('a'), () => data(toByteText('Doña Ana')));
  const held = cache.answer(named('a'), () => expect.fail());
  expect(held).toMatchObject({ body: Buffer.from('Doña Ana') });
  const { buffer } = held instanceof Promise || !(held.body instanceof Uint8Array) ? expect.fail() : held.body;
  expect(buffer.byteLength).toBe(Buffer.byteLength('Doña Ana'));
});

test('another build of the program gives a request another tag', () => {
  const [one, same, other] = ['build-1', 'build-1', 'build-2'].map(
    (edition) => nameRequest('one', ROUTE, 'a', edition).tag,
  );
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});
