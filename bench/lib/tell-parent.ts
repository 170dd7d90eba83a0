import type { AddressInfo, Server } from 'node:net';

/**
 * What the script of `startForked` does with its server on the loopback: sends its parent `{ url }` once it listens, and
 * exits when its parent disconnects.
 */
export function tellParent(server: Server): void {
  const tell = (): void => {
    // A listening TCP server's address is an `AddressInfo`.
    const { port } = server.address() as AddressInfo;
    process.send?.({ url: `http://127.0.0.1:${port}` });
  };
  if (server.listening) tell();
  else server.once('listening', tell);
  process.once('disconnect', () => process.exit());
}
