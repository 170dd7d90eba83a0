import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests whose client waits to be asked for the body: `Expect: 100-continue` (RFC 9110, 10.1.1). */
const heldBack = new WeakSet<IncomingMessage>();

/** Registers that the client holds the body of a request back, until {@link askForBody}. */
export function holdBack(request: IncomingMessage): void {
  heldBack.add(request);
}

/** Whether its client still waits to be asked for the body of a request. */
export const isHeldBack = (request: IncomingMessage): boolean => heldBack.has(request);

/** Asks for the body of a request if its client holds it back. To be called by whoever reads it, before that. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (!heldBack.delete(request)) return;
  const ask = (): void => {
    // Not any more if the client has sent its body without being asked, and the answer waits already.
    if (!response.headersSent) response.writeContinue();
  };
  // An answer gets its socket when all before it are sent. What is written to it sooner could end up behind its own head.
  if (response.socket) ask();
  else response.once('socket', ask);
}
