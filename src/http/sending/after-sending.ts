import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Callbacks to run when a connection closes. Each connection gets one `close` listener, however many answers it has. */
const AT_CLOSE = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `done` exactly once: when the operating system has accepted all of an answer that is about to be written, or when
 * the connection is closed before that.
 */
export function afterSending({ socket }: IncomingMessage, response: ServerResponse, done: () => void): void {
  const atClose = actionsAtClose(socket);
  const finish = (): void => {
    if (atClose.delete(finish)) done();
  };
  atClose.add(finish);
  response.once('close', finish);
}

/** Needed because a response that is queued behind another one on its connection emits no `close` when that closes. */
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
