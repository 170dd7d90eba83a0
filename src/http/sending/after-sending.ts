import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is to be done for each connection when it closes. One listener a connection, however many answers it has. */
const AT_CLOSE = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back, once, when the system has taken all of an answer that is written from now on, or when nobody takes it any
 * more.
 */
export function afterSending({ socket }: IncomingMessage, response: ServerResponse, done: () => void): void {
  const atClose = actionsAtClose(socket);
  const finish = (): void => {
    if (atClose.delete(finish)) done();
  };
  atClose.add(finish);
  response.once('close', finish);
}

/** A response that waits behind another on its connection is not told when that closes. */
function actionsAtClose(socket: Socket): Set<() => void> {
  const known = AT_CLOSE.get(socket);
  if (known) return known;
  const actions = new Set<() => void>();
  AT_CLOSE.set(socket, actions);
  socket.once('close', () => {
    for (const action of actions) action();
  });
  return actions;
}
