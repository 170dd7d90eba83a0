import type { IncomingMessage, ServerResponse } from 'node:http';
import { closeBody, openBody } from '../input/open-bodies.js';

/** How much of a body is discarded: until this much time has passed, as many bytes, or nothing has come for a while. */
const DISCARD_MAX_MS = 5_000;
const DISCARD_MAX_BYTES = 64 * 1024 * 1024;
const SILENCE_MAX_MS = 1_000;

/** Whether the client may still be sending a body that no one has asked for, or that is refused. */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Sends an answer whose head is written, but ends it, and thereby the connection, only after the rest of the request's body
 * has been discarded. A connection that is closed while data arrives is reset, and the client would lose the answer that
 * says why. A server that is stopping does not wait for that.
 */
export function answerBeforeBodyEnds(
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array | string,
  draining: () => boolean,
): void {
  response.cork();
  response.flushHeaders();
  response.write(body, 'latin1');
  response.uncork();
  const untilMs = performance.now() + DISCARD_MAX_MS;
  let left = DISCARD_MAX_BYTES;
  const discard = ({ byteLength }: Uint8Array): void => {
    left -= byteLength;
    if (left < 0 || performance.now() > untilMs || draining()) end();
    else silence.refresh();
  };
  const end = (): void => {
    clearTimeout(silence);
    closeBody(request);
    request.off('data', discard).off('end', end).off('close', end);
    response.end();
  };
  const silence = setTimeout(end, SILENCE_MAX_MS);
  request.on('data', discard).once('end', end).once('close', end).resume();
  // The client may have ended its half of the connection in the middle of the body.
  if (request.socket.readableEnded) end();
  // Called if the rest cannot be read as HTTP.
  else openBody(request, end);
}
