import type { Server, Socket } from 'node:net';

/** Connections over which the token has not been presented yet. */
export interface Strangers {
  /** Called when a connection, or the TLS one over it, has presented the token: it is no stranger's from then on. */
  vouchFor(connection: Socket): void;
}

/**
 * Bounds a server's connections of strangers. When there is one too many, the one that has waited longest is closed, rather
 * than the new one refused: clients without the token, who can hold and renew as many as they like, must not keep the
 * operator out, whose request follows the connection at once.
 */
export function boundStrangers(server: Server, max: number): Strangers {
  /** By the client's address and port, which a connection and the TLS one over it have in common. */
  const waiting = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    waiting.set(name, socket);
    socket.once('close', () => {
      if (waiting.get(name) === socket) waiting.delete(name);
    });
    if (waiting.size <= max) return;
    for (const [longest, stranger] of waiting) {
      waiting.delete(longest);
      stranger.destroy();
      return;
    }
  });
  return { vouchFor: (connection) => void waiting.delete(nameOf(connection)) };
}

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
