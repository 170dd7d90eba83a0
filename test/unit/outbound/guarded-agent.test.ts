import type { LookupAddress } from 'node:dns';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createGuardedAgent, type GuardedAgentOptions, type ResolveAll } from '../../../src/outbound/guarded-agent.js';
import { startFakeServer } from '../../support/fake-server.js';

/** A resolver that gives these lists of addresses, one after the other, the last again and again. */
function resolverOf(...answers: readonly string[][]): { resolve: ResolveAll; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: (hostname, _options, callback) => {
      const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
      asked.push(hostname);
      const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
      setImmediate(() => callback(null, found));
    },
  };
}

async function ask(url: string, options: Partial<GuardedAgentOptions> = {}): Promise<string> {
  const defaults = { allowedHosts: new Set<string>(), maxConnections: 2, connectTimeoutMs: 5000 };
  const dispatcher = createGuardedAgent({ ...defaults, ...options });
  onTestFinished(() => dispatcher.destroy());
  try {
    const { statusCode, body } = await request(url, { dispatcher });
    await body.dump();
    return `answered ${statusCode}`;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

const REFUSED = 'RefusedAddressError';
const answering = () => startFakeServer((response) => void response.writeHead(204).end());
const portOf = (url: string): string => new URL(url).port;

test('an address inside is refused before a connection is begun', async () => {
  const server = await answering();
  expect(await ask(server.url)).toBe(REFUSED);
  expect(await ask(`http://[::ffff:127.0.0.1]:${portOf(server.url)}`)).toBe(REFUSED);
  expect(server.requests).toHaveLength(0);
});

test('a name that leads inside is refused, also where only one of its addresses does', async () => {
  const server = await answering();
  const url = `http://rebound.example:${portOf(server.url)}/`;
  for (const addresses of [
    ['127.0.0.1'],
    ['1.1.1.1', '127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
  ]) {
    expect(await ask(url, { resolve: resolverOf(addresses).resolve }), addresses.join()).toBe(REFUSED);
  }
  expect(server.requests).toHaveLength(0);
});

test('those who ask for a name while it is being resolved wait for one answer, and other names are not kept waiting', async () => {
  const server = await answering();
  const port = portOf(server.url);
  const asked: string[] = [];
  const pending: (() => void)[] = [];
  const resolve: ResolveAll = (hostname, _options, callback) => {
    asked.push(hostname);
    const answer = (): void => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    if (hostname === 'slow.example') pending.push(answer);
    else setImmediate(answer);
  };
  const allowedHosts = new Set(['slow.example', 'quick.example']);
  const dispatcher = createGuardedAgent({ allowedHosts, maxConnections: 5, connectTimeoutMs: 5000, resolve });
  onTestFinished(() => dispatcher.destroy());
  const ask = async (host: string): Promise<number> => {
    const { statusCode, body } = await request(`http://${host}:${port}/`, { dispatcher });
    await body.dump();
    return statusCode;
  };
  const slow = Promise.all([ask('slow.example'), ask('slow.example'), ask('slow.example')]);
  expect(await ask('quick.example')).toBe(204);
  expect(asked.toSorted()).toEqual(['quick.example', 'slow.example']);
  for (const answer of pending.splice(0)) answer();
  expect(await slow).toEqual([204, 204, 204]);
});

test('a name is resolved once for a connection: what was checked is what is connected to', async () => {
  const server = await answering();
  // Answers as a rebinding name server does: harmless first, then inside.
  const { resolve, asked } = resolverOf(['127.0.0.1'], ['10.0.0.1']);
  const url = `http://allowed.example:${portOf(server.url)}/`;
  expect(await ask(url, { resolve, allowedHosts: new Set(['allowed.example']) })).toBe('answered 204');
  expect(asked).toEqual(['allowed.example']);
  expect(server.requests).toHaveLength(1);
});

test('hosts that are named may be inside, and no others', async () => {
  const server = await answering();
  const allowedHosts = new Set(['127.0.0.1', 'dev.example']);
  expect(await ask(server.url, { allowedHosts })).toBe('answered 204');
  const { resolve } = resolverOf(['127.0.0.1']);
  const at = (host: string): string => `http://${host}:${portOf(server.url)}/`;
  expect(await ask(at('dev.example'), { allowedHosts, resolve })).toBe('answered 204');
  expect(await ask(at('dev.example.'), { allowedHosts, resolve })).toBe('answered 204');
  expect(await ask(at('other.example'), { allowedHosts, resolve })).toBe(REFUSED);
});
