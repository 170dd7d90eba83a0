import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { onTestFinished } from 'vitest';

/** Makes a server listen on a free loopback port until the test ends; returns the port. */
export async function listenLocally(server: HttpServer | HttpsServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port');
  return address.port;
}
