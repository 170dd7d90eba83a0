import { createServer } from 'node:net';

/** A TCP port of 127.0.0.1 on which no process listens at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('a server listens on a port');
  return address.port;
}
