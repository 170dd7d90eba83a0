import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { checkAnswers } from '../../../bench/http/check.js';
import { generationOfRunning, worldOfRunning } from '../../../bench/http/running-service.js';
import { listenLocally } from '../../support/listen-locally.js';

async function serverThatAnswers(status: number) {
  const server = createServer((_request, response) => response.writeHead(status).end('{"error":"as it is"}'));
  return { url: `http://127.0.0.1:${await listenLocally(server)}`, headers: {}, stop: async () => {} };
}

it('a running service’s dataset is the one that its answers name', async () => {
  const names = createServer((_request, response) => response.setHeader('X-Dataset-Generation', 'abc').end('{}'));
  const url = `http://127.0.0.1:${await listenLocally(names)}`;
  expect(await generationOfRunning({ url, headers: {}, stop: async () => {} })).toBe('abc');
  expect(await generationOfRunning(await serverThatAnswers(200))).toBe('unknown');
});

describe('a running service that refuses the bench', () => {
  it.each([
    [401, /answers 401; the service requires a key: .* --key/],
    [403, /answers 403; the service refuses the key.* --key/],
    [429, /answers 429; the rate limit of the key is too low.* RATE_LIMIT_MAX=0/],
    [500, /answers 500: {"error":"as it is"}/],
  ])('with %i fails with advice for that status', async (status, message) => {
    const server = await serverThatAnswers(status);
    await expect(worldOfRunning(server, 1)).rejects.toThrow(message);
    const ask = { method: 'GET', path: '/v1/tracts/1', expected: () => ({}) } as const;
    await expect(checkAnswers(server, [ask])).rejects.toThrow(message);
  });
});
