import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../src/core/deferred.js';
import { createUpstreamCall, type UpstreamSetup } from '../../../../src/geocode/upstream/caller.js';
import { UpstreamError } from '../../../../src/geocode/upstream/upstream-error.js';
import type { CallFailure } from '../../../../src/outbound/call-error.js';
import type { CallRules } from '../../../../src/outbound/slot-queue.js';
import { type Answer, sendJson, startFakeServer } from '../../../support/fake-server.js';
import { upstreamSetup } from './setup.js';

const ADDRESS = '7 Zyzzogeton St';
const RULES: CallRules = { maxConcurrent: 4, minIntervalMs: 0, maxWaiting: 100 };

async function setUp(answer: Answer, more: Partial<UpstreamSetup> = {}, rules: Partial<CallRules> = {}) {
  const fake = await startFakeServer(answer);
  const { setup, reasons } = upstreamSetup(more);
  const call = createUpstreamCall('census', setup, { ...RULES, ...rules });
  const url = new URL(`${fake.url}/search?address=${encodeURIComponent(ADDRESS)}`);
  const ask = () => call({ url, accept: 'application/json' }, (body) => (body === '"good"' ? body : undefined));
  return { ask, fake, reasons };
}

const good: Answer = (response) => sendJson(response, 'good');
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end('oops');

describe('a failure is reported with its reason, without the address', () => {
  const cases: Record<string, readonly [Answer, CallFailure, attempts: number]> = {
    'status 500, three times': [status(500), 'status-500', 3],
    'status 429, three times': [status(429), 'status-429', 3],
    'status 403': [status(403), 'status-403', 1],
    'status 400': [status(400), 'status-400', 1],
    'status 204': [(response) => void response.writeHead(204).end(), 'status-204', 1],
    'a redirect, which would take the address along': [status(302, { location: '/elsewhere' }), 'status-302', 1],
    'a page': [
      (response) => void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('"good"'),
      'html',
      1,
    ],
    'text that is no answer': [(response) => void response.end('{"result":'), 'unexpected-answer', 1],
    'an empty body': [(response) => void response.end(), 'unexpected-answer', 1],
    'a huge body': [(response) => sendJson(response, 'x'.repeat(2_000_000)), 'too-large', 1],
    'a broken connection, three times': [(response) => void response.destroy(), 'unreachable', 3],
    'an answer that breaks off, three times': [
      (response) => {
        response.writeHead(200, { 'content-length': 1000 }).write('"go', () => response.destroy());
      },
      'unreachable',
      3,
    ],
  };
  test.each(Object.entries(cases))('%s', async (_, [answer, reason, attempts]) => {
    const { ask, fake, reasons } = await setUp(answer);
    const error: unknown = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toHaveProperty('reason', reason);
    expect(inspect(error)).not.toContain('Zyzzogeton');
    expect(reasons).toEqual([reason]);
    expect(fake.requests).toHaveLength(attempts);
  });

  test('nobody listens', async () => {
    const { ask, reasons } = await setUp(good, { fetch: () => Promise.reject(new TypeError(`no ${ADDRESS}`)) });
    await expect(ask()).rejects.toThrow(/^the census geocoder failed: unreachable$/);
    expect(reasons).toEqual(['unreachable']);
  });

  test('the time is up, and the connection is closed', async () => {
    const closed = deferred<void>();
    const answer: Answer = (response) => void response.on('close', () => closed.resolve());
    // The question has to arrive in that time.
    const { ask, reasons, fake } = await setUp(answer, { timeoutMs: 1000 });
    await expect(ask()).rejects.toThrow('timeout');
    await closed.promise;
    expect([reasons, fake.requests.length]).toEqual([['timeout'], 1]);
  });

  test('an answer trickles in beyond the time', async () => {
    const { ask, reasons } = await setUp((response) => void response.writeHead(200).write('"'), { timeoutMs: 1000 });
    await expect(ask()).rejects.toThrow('timeout');
    expect(reasons).toEqual(['timeout']);
  });
});

describe('a question is asked again', () => {
  test('after a failure that may pass', async () => {
    const { ask, fake, reasons } = await setUp((response, request) =>
      fake.requests.length < 3 ? status(503)(response, request) : good(response, request),
    );
    expect(await ask()).toBe('"good"');
    expect([fake.requests.length, reasons]).toEqual([3, []]);
  });

  test('after the time that the server asks for', async () => {
    const { ask, fake, reasons } = await setUp((response, request) =>
      fake.requests.length === 1 ? status(429, { 'retry-after': '1' })(response, request) : good(response, request),
    );
    const startedAtMs = performance.now();
    expect(await ask()).toBe('"good"');
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(1000);
    expect([fake.requests.length, reasons]).toEqual([2, []]);
  });

  test('also those that come after it in the meantime', async () => {
    const { ask, fake, reasons } = await setUp(
      (response, request) =>
        fake.requests.length === 1 ? status(429, { 'retry-after': '1' })(response, request) : good(response, request),
      {},
      { maxConcurrent: 1 },
    );
    const asked = 8;
    expect(await Promise.all(Array.from({ length: asked }, ask))).toEqual(Array(asked).fill('"good"'));
    expect([fake.requests.length, reasons]).toEqual([asked + 1, []]);
  });

  test('not where the server asks for more time than there is: it is left alone for it', async () => {
    let nowMs = 0;
    const limited = status(429, { 'retry-after': '120' });
    const { ask, fake, reasons } = await setUp(
      (response, request) => (nowMs === 0 ? limited(response, request) : good(response, request)),
      { now: () => nowMs },
    );
    await expect(ask()).rejects.toThrow('status-429');
    await expect(ask()).rejects.toThrow('cooling-down');
    nowMs = 119_000;
    await expect(ask()).rejects.toThrow('cooling-down');
    nowMs = 120_000;
    expect(await ask()).toBe('"good"');
    expect(fake.requests).toHaveLength(2);
    expect(reasons).toEqual(['status-429', 'cooling-down', 'cooling-down']);
  });
});

describe('the geocoder is spared', () => {
  test('for 30 seconds after five failures in a row, then it is tried once', async () => {
    let nowMs = 0;
    let answer: Answer = status(403);
    const { ask, fake } = await setUp((response, request) => answer(response, request), { now: () => nowMs });
    const reasonOf = () => ask().catch((error: UpstreamError) => error.reason);
    for (let time = 0; time < 5; time++) expect(await reasonOf()).toBe('status-403');
    expect(await reasonOf()).toBe('cooling-down');
    nowMs = 30_000;
    expect([await reasonOf(), await reasonOf()]).toEqual(['status-403', 'cooling-down']);
    nowMs = 60_000;
    answer = good;
    expect([await reasonOf(), await reasonOf()]).toEqual(['"good"', '"good"']);
    expect(fake.requests).toHaveLength(8);
  });

  test('but not because it refuses what clients ask for', async () => {
    let answer: Answer = status(400);
    const { ask } = await setUp((response, request) => answer(response, request));
    for (let time = 0; time < 10; time++) await expect(ask()).rejects.toThrow('status-400');
    answer = good;
    expect(await ask()).toBe('"good"');
  });

  test('more questions at the same time than its rules allow', async () => {
    const { ask, fake } = await setUp(
      (response) => void setTimeout(() => sendJson(response, 'good'), 20),
      {},
      { maxConcurrent: 2 },
    );
    await Promise.all(Array.from({ length: 8 }, ask));
    expect(fake.mostAtOnce()).toBe(2);
  });

  test('questions closer to each other than its rules allow', async () => {
    const { ask } = await setUp(good, {}, { minIntervalMs: 60 });
    const beganMs = performance.now();
    await Promise.all(Array.from({ length: 5 }, ask));
    // Timers may fire a millisecond early.
    expect(performance.now() - beganMs).toBeGreaterThan(4 * (60 - 1));
  });

  test('a queue without end: what is too many fails at once, the others have their turn', async () => {
    const gate = deferred<void>();
    const { ask, fake } = await setUp(
      async (response, request) => {
        await gate.promise;
        good(response, request);
      },
      {},
      { maxConcurrent: 1, maxWaiting: 3 },
    );
    const first = ask();
    await fake.received(1);
    const others = Array.from({ length: 5 }, () => ask().catch((error: UpstreamError) => error.reason));
    expect(await Promise.all(others.slice(3))).toEqual(['busy', 'busy']);
    gate.resolve();
    expect(await Promise.all([first, ...others.slice(0, 3)])).toEqual(Array(4).fill('"good"'));
  });

  test('questions that have waited for half of their time', async () => {
    const { ask, fake } = await setUp(() => {}, { timeoutMs: 2000 }, { maxConcurrent: 1 });
    const reasons = await Promise.all(
      Array.from({ length: 4 }, () => ask().catch((error: UpstreamError) => error.reason)),
    );
    expect(reasons).toEqual(['timeout', 'busy', 'busy', 'busy']);
    expect(fake.requests).toHaveLength(1);
  });

  test('and under lasting overload every turn is somebody’s who is answered in time', async () => {
    const { ask, fake } = await setUp(good, { timeoutMs: 3000 }, { maxConcurrent: 1, minIntervalMs: 60 });
    const answers: Promise<string>[] = [];
    for (let asked = 0; asked < 80; asked++) {
      answers.push(ask().catch((error: UpstreamError) => error.reason));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    const outcomes = await Promise.all(answers);
    const answered = outcomes.filter((outcome) => outcome === '"good"').length;
    expect(new Set(outcomes)).toEqual(new Set(['"good"', 'busy']));
    expect(answered).toBe(fake.requests.length);
    // 40 turns or so; one that nobody is left for is not taken.
    expect(answered).toBeGreaterThan(20);
  });
});

test('when the service closes, questions are dropped, those in the queue and those on their way', async () => {
  const closing = new AbortController();
  const closed = deferred<void>();
  const silent: Answer = (response) => void response.on('close', () => closed.resolve());
  const { ask, fake } = await setUp(silent, { closing: closing.signal }, { maxConcurrent: 1, minIntervalMs: 60_000 });
  const answers = Array.from({ length: 3 }, () => ask().catch((error: UpstreamError) => error.reason));
  await fake.received(1);
  closing.abort();
  expect(await Promise.all(answers)).toEqual(['timeout', 'timeout', 'timeout']);
  await closed.promise;
  await expect(ask()).rejects.toThrow('busy');
  expect(fake.requests).toHaveLength(1);
});
