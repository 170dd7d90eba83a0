import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AtEnd, listenLocally } from './listen-locally.js';

/** A request as the fake server received it. */
export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A local HTTP server that stands in for an external one. */
export interface FakeServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** The largest number of requests so far that were open at the same time. */
  mostAtOnce(): number;
  /** Resolves when this many requests have been received. */
  received(count: number): Promise<void>;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

/** Listens on a free port until the test is finished, if nothing else is given. */
export async function startFakeServer(answer: Answer, atEnd?: AtEnd): Promise<FakeServer> {
  const requests: ReceivedRequest[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
      requests.push(received);
      most = Math.max(most, ++open);
      response.on('close', () => open--);
      for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
      void answer(response, received);
    });
  });
  const port = await listenLocally(server, atEnd);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    mostAtOnce: () => most,
    received: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ count, resolve });
          }),
  };
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
