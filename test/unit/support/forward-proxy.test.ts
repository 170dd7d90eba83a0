import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startProxy } from '../../support/forward-proxy.js';
import { listenLocally } from '../../support/listen-locally.js';

/** Posts to a URL through a proxy. */
function postThrough(proxy: string, url: string, body: string): Promise<{ status?: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(proxy, { method: 'POST', path: url, headers: { host: new URL(url).host } }, (answer) => {
      text(answer).then((got) => resolve({ status: answer.statusCode ?? 0, body: got }), reject);
    });
    asked.on('error', reject).end(body);
  });
}

test('the proxy of the tests passes on method, body and status', async () => {
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    outgoing.writeHead(201).end(`${incoming.method} ${incoming.url} ${body}`);
  });
  const url = `http://127.0.0.1:${await listenLocally(server)}/path`;
  const proxy = await startProxy();
  expect(await postThrough(proxy.url, url, 'a body')).toEqual({ status: 201, body: 'POST /path a body' });
});

test('the test proxy answers 502 if nothing listens, and keeps running', async () => {
  const proxy = await startProxy();
  for (let asked = 0; asked < 2; asked++) {
    expect(await postThrough(proxy.url, 'http://127.0.0.1:9/', '')).toMatchObject({ status: 502 });
  }
});
