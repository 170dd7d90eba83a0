import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** Between looks for connections that have become idle while a server closes. */
const LOOK_EVERY_MS = 50;
/** What keeps a server from taking one connection keeps it from many. */
const TELL_EVERY_MS = 60_000;

export interface ListenAddress {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Told, once a minute at most, why a connection could not be taken. The server goes on. */
  readonly onAcceptError: (error: Error) => void;
  /** What people set the two by, where they did. */
  readonly settings?: ListenSettings | undefined;
}

export interface ListenSettings {
  readonly host: string;
  readonly port: string;
}

/**
 * Has a server listen. Rejects with what the system says where the address cannot be listened on, and the setting at
 * fault.
 */
export async function listenOn(server: Server, address: ListenAddress): Promise<void> {
  const { host, port, onAcceptError } = address;
  let quietUntilMs = 0;
  const tell = (error: Error): void => {
    if (performance.now() < quietUntilMs) return;
    quietUntilMs = performance.now() + TELL_EVERY_MS;
    onAcceptError(error);
  };
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: Error): void => reject(namingSetting(error, address));
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      server.on('error', tell);
      resolve();
    });
  });
}

/** Other errors, such as of a name that leads nowhere, are of the host. */
const PORT_ERRORS = new Set(['EADDRINUSE', 'EACCES']);

function namingSetting(error: NodeJS.ErrnoException, { host, port, settings }: ListenAddress): Error {
  if (!settings) return error;
  const isPort = PORT_ERRORS.has(error.code ?? '');
  const fault = isPort ? `${settings.port} is ${port}` : `${settings.host} is ${JSON.stringify(host)}`;
  return new Error(`${fault}: ${error.message}`, { cause: error });
}

/** The URL of a server that listens, by the host that it was told; an IPv6 address is put in brackets. */
export function urlOf(server: Server, scheme: 'http' | 'https', host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Takes no new connection, lets requests in flight finish, and ends what is left after the timeout. Connections that wait
 * for their next request are closed a moment later: of a busy one it is on its way, and its answer can say that there will
 * be no other. Gives whether all were finished.
 */
export async function closeGracefully(server: Server, timeoutMs: number): Promise<boolean> {
  let finished = true;
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
  const deadline = setTimeout(() => {
    finished = false;
    server.closeAllConnections();
  }, timeoutMs);
  await new Promise<void>((resolve) => {
    // That of node:http would close the connections that are idle in this very moment.
    NetServer.prototype.close.call(server, () => resolve());
  });
  clearInterval(idle);
  clearTimeout(deadline);
  return finished;
}
