import type { Server } from 'node:http';

/** Between looks for connections that have become idle while a server closes. */
const LOOK_EVERY_MS = 50;

/** The URL of a server that listens, by the host that it was told; an IPv6 address is put in brackets. */
export function urlOf(server: Server, scheme: 'http' | 'https', host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Takes no new connection, lets requests in flight finish, and ends what is left after the timeout. Gives whether all were
 * finished.
 */
export async function closeGracefully(server: Server, timeoutMs: number): Promise<boolean> {
  let finished = true;
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
  const deadline = setTimeout(() => {
    finished = false;
    server.closeAllConnections();
  }, timeoutMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  clearInterval(idle);
  clearTimeout(deadline);
  return finished;
}
