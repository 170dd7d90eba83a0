import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { onTestFinished } from 'vitest';

/** Takes what is to be called at an end, such as of a test. */
export type AtEnd = (close: () => Promise<void>) => void;

/** Makes a server listen on a free loopback port until the test ends, if nothing else is given; returns the port. */
export async function listenLocally(server: HttpServer | HttpsServer, atEnd: AtEnd = onTestFinished): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port');
  return address.port;
}
