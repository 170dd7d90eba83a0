import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../errors.js';

/** Called with the reason if a body that is being read cannot be completed. */
type Reader = (error: ApiError) => void;

/** By request, not by connection: of two that come in one packet, the second body may begin before the first has been read. */
const readers = new WeakMap<IncomingMessage, Reader>();

/** Registers that the body of a request is being read, until {@link closeBody}. */
export function openBody(request: IncomingMessage, reader: Reader): void {
  readers.set(request, reader);
}

export function closeBody(request: IncomingMessage): void {
  readers.delete(request);
}

/**
 * Fails the body of a request, if it is being read. The request has been authenticated and routed by then, so the
 * application answers, counts and logs it like any other. Returns false if the body is not being read.
 */
export function endBody(request: IncomingMessage, error: ApiError): boolean {
  const reader = readers.get(request);
  readers.delete(request);
  reader?.(error);
  return reader !== undefined;
}
