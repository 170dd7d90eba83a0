import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** How often a closing server looks for connections that have become idle. */
const LOOK_EVERY_MS = 50;
/**
 * How long a connection that was idle when its server began to close stays open: the client may have got its last answer just
 * then, which did not say that it was the last, and its next request takes as long as the network and a busy client need.
 */
const IDLE_GRACE_MS = 250;
/** How long a closing server goes on accepting connections that the system has already made for it. */
const ACCEPT_MAX_MS = 1_000;
/** How many connections the system lets wait: Node's own default, of which its limits may leave fewer. */
const BACKLOG = 511;
/** After so many turns of the event loop without another one, of which Node accepts one a turn, none is left. */
const QUIET_TURNS = 3;
/** The least time between two reports: what keeps a server from accepting one connection usually affects many. */
const TELL_EVERY_MS = 60_000;

/** How often Node looks for clients that take too long: every 30 s by default, which is too seldom. */
const TIMEOUT_CHECK_MS = 5_000;

/** The `connectionsCheckingInterval` of a server with this `headersTimeout`, both in milliseconds. */
export const checkingInterval = (headersTimeoutMs: number): number => Math.min(TIMEOUT_CHECK_MS, headersTimeoutMs);

export interface ListenAddress {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Called at most once a minute with the reason why a connection could not be accepted. The server goes on. */
  readonly onAcceptError: (error: Error) => void;
  /** The settings that host and port come from, if they are configurable. */
  readonly settings?: ListenSettings | undefined;
}

export interface ListenSettings {
  readonly host: string;
  readonly port: string;
}

/** The open connections of each listening server. */
const connections = new WeakMap<Server, Set<Socket>>();

/**
 * Makes a server listen. If it cannot listen on the address, rejects with the system's message and the name of the setting
 * at fault.
 */
export async function listenOn(server: Server, address: ListenAddress): Promise<void> {
  const { host, port, onAcceptError } = address;
  let quietUntilMs = 0;
  const tell = (error: Error): void => {
    if (performance.now() < quietUntilMs) return;
    quietUntilMs = performance.now() + TELL_EVERY_MS;
    onAcceptError(error);
  };
  const open = new Set<Socket>();
  connections.set(server, open);
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  // Of TLS the second one, which is told of only after its handshake, is the one that answers are written to.
  server.on('connection', keep).on('secureConnection', keep);
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: Error): void => reject(namingSetting(error, address));
    server.once('error', refuse);
    server.listen(port, host, BACKLOG, () => {
      server.off('error', refuse);
      server.on('error', tell);
      resolve();
    });
  });
}

/** Errors that are due to the port. Others, such as a name that does not resolve, are due to the host. */
const PORT_ERRORS = new Set(['EADDRINUSE', 'EACCES']);

function namingSetting(error: NodeJS.ErrnoException, { host, port, settings }: ListenAddress): Error {
  if (!settings) return error;
  const isPort = PORT_ERRORS.has(error.code ?? '');
  const fault = isPort ? `${settings.port} is ${port}` : `${settings.host} is ${JSON.stringify(host)}`;
  return new Error(`${fault}: ${error.message}`, { cause: error });
}

/** The URL of a listening server, with the host as configured; an IPv6 address is put in brackets. */
export function urlOf(server: Server, scheme: 'http' | 'https', host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Accepts the connections that wait to be: the system would reset them, perhaps with a request sent, when the server closes.
 * Meanwhile it lets no others wait, whose clients try again; Node offers that only on the handle. The socket may be that of
 * other processes, too, of which some go on and others close it in their turn.
 */
async function acceptWaiting(server: Server, timeoutMs: number): Promise<void> {
  const { _handle: handle } = server as { readonly _handle?: { listen?(backlog: number): number } | null };
  let quietTurns = 0;
  const accepted = (): void => {
    quietTurns = 0;
  };
  const untilMs = performance.now() + timeoutMs;
  server.on('connection', accepted);
  while (quietTurns < QUIET_TURNS && performance.now() < untilMs) {
    handle?.listen?.(1);
    quietTurns++;
    await turn();
  }
  handle?.listen?.(BACKLOG);
  server.off('connection', accepted);
}

/**
 * Accepts no new connections, lets requests in flight finish, and closes the remaining connections after the timeout. Idle
 * connections are closed only a moment later: on a busy one the next request is already on its way, and its answer can say
 * that it is the last. Nor are they closed while any client is still being sent its answer, which a slow one can take long to
 * read. Returns whether all requests were finished.
 */
export async function closeGracefully(server: Server, timeoutMs: number): Promise<boolean> {
  let finished = true;
  const open = connections.get(server) ?? new Set();
  const closeIdle = (): void => {
    // Node takes a connection for idle when its answer is written, though most of that may not have left this process yet.
    if ([...open].some(({ writableLength }) => writableLength > 0)) return;
    server.closeIdleConnections();
    // Node takes one that has never sent anything, as browsers and health checks open them, for one with a request.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  const deadline = setTimeout(() => {
    // The time may be too short for idle connections, too, which have nothing to finish.
    closeIdle();
    finished = [...open].every(({ destroyed }) => destroyed);
    server.closeAllConnections();
    // Node knows no connection whose TLS handshake is not finished.
    for (const socket of open) socket.destroy();
  }, timeoutMs);
  await acceptWaiting(server, Math.min(timeoutMs, ACCEPT_MAX_MS));
  const idleFromMs = performance.now() + IDLE_GRACE_MS;
  const look = (): void => {
    if (performance.now() >= idleFromMs) closeIdle();
  };
  // Timers come before what has arrived: a connection is not idle if its request came while this thread was busy.
  const idle = setInterval(() => setImmediate(look), LOOK_EVERY_MS);
  await new Promise<void>((resolve) => {
    // node:http's own close would close idle connections immediately.
    NetServer.prototype.close.call(server, () => resolve());
  });
  clearInterval(idle);
  clearTimeout(deadline);
  return finished;
}
