import { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { APP_KEY, liveWith, startTestApp } from '../../support/test-app.js';

const PATH = '/v1/nearby?lat=39&lng=-77';

/** A body of at least this many bytes, half of which are parts of letters that take two. */
const bodyOf = (bytes: number): Buffer => Buffer.from('aaé'.repeat(Math.ceil(bytes / 4)));

async function answering(body: Buffer) {
  return startTestApp({ current: liveWith(() => Promise.resolve({ ok: true, body })), cacheMaxSize: 0 });
}

test.each([1, 1000, 4090, 4096, 5000, 12 * 1024, 20_000])('a body of %i bytes arrives as it is', async (bytes) => {
  const body = bodyOf(bytes);
  const app = await answering(body);
  const headers = { 'X-API-Key': APP_KEY, 'Accept-Encoding': 'identity' };
  const answer = await app.get(PATH, { headers });
  expect(answer.headers.get('content-length')).toBe(String(body.length));
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(body);
});

test.each([
  ['a small body goes out with its head', 1000, '_write'],
  ['a large one goes out beside its head, uncopied', 5000, '_writev'],
] as const)('%s', async (_what, bytes, method) => {
  const app = await answering(bodyOf(bytes));
  const writes = { _write: vi.spyOn(Socket.prototype, '_write'), _writev: vi.spyOn(Socket.prototype, '_writev') };
  onTestFinished(() => void vi.restoreAllMocks());
  const headsIn = (by: keyof typeof writes): number =>
    writes[by].mock.calls.filter(([what]) => JSON.stringify(what).includes('HTTP/1.1 200')).length;
  await (await app.get(PATH, { headers: { 'X-API-Key': APP_KEY, 'Accept-Encoding': 'identity' } })).text();
  expect({ _write: headsIn('_write'), _writev: headsIn('_writev') }).toEqual({ _write: 0, _writev: 0, [method]: 1 });
});
