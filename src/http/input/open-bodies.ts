import type { Duplex } from 'node:stream';
import type { ApiError } from '../errors.js';

/** Called with the reason if a body that is being read cannot be completed. */
type Reader = (error: ApiError) => void;

const readers = new WeakMap<Duplex, Reader>();

/** Registers that a body is being read from this connection, until {@link closeBody}. */
export function openBody(connection: Duplex, reader: Reader): void {
  readers.set(connection, reader);
}

/** Does nothing if the next body on the connection is being read already: it may begin in the packet that ends this one. */
export function closeBody(connection: Duplex, reader: Reader): void {
  if (readers.get(connection) === reader) readers.delete(connection);
}

/**
 * Fails the body that is being read from a connection, if there is one. Its request has been authenticated and routed by
 * then, so the application answers, counts and logs it like any other. Returns false if no body is being read.
 */
export function endBody(connection: Duplex, error: ApiError): boolean {
  const reader = readers.get(connection);
  readers.delete(connection);
  reader?.(error);
  return reader !== undefined;
}
