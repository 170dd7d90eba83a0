import type { Duplex } from 'node:stream';
import type { ApiError } from '../errors.js';

/** Whoever reads a body, told why it does not come to its end. */
type Reader = (error: ApiError) => void;

const readers = new WeakMap<Duplex, Reader>();

/** A body is being read from this connection, until {@link closeBody}. */
export function openBody(connection: Duplex, reader: Reader): void {
  readers.set(connection, reader);
}

export function closeBody(connection: Duplex): void {
  readers.delete(connection);
}

/**
 * Ends the body that is being read from a connection, if there is one: its request has a key and a name by then, and is
 * answered, counted and logged as any other. False where there is none.
 */
export function endBody(connection: Duplex, error: ApiError): boolean {
  const reader = readers.get(connection);
  readers.delete(connection);
  reader?.(error);
  return reader !== undefined;
}
