import type { IncomingMessage } from 'node:http';
import { type ApiError, BUSY } from '../errors.js';

/** A body that is being read. */
interface OpenBody {
  /** Called with the reason if the body cannot be completed. */
  readonly fail: (error: ApiError) => void;
  /** How much of it has arrived. */
  bytes: number;
}

/**
 * The most bytes of bodies that are being read at a time: of 512 as large as they may be. Without a bound, a few thousand
 * clients that leave out the last byte would take a gigabyte until their requests time out.
 */
export const OPEN_MAX_BYTES = 128 * 1024 * 1024;

/**
 * By request, not by connection: of two that come in one packet, the second body may begin before the first has been read.
 * Those that began first come first.
 */
const bodies = new Map<IncomingMessage, OpenBody>();
let allBytes = 0;

/** Registers that the body of a request is being read, until {@link closeBody}, which `fail` has to call, too. */
export function openBody(request: IncomingMessage, fail: OpenBody['fail']): void {
  bodies.set(request, { fail, bytes: 0 });
}

/** Counts bytes that have arrived. If all bodies take too many, those that began first are failed: they are the slow ones. */
export function countBytes(request: IncomingMessage, bytes: number): void {
  const body = bodies.get(request);
  if (!body) return;
  body.bytes += bytes;
  allBytes += bytes;
  for (const slowest of bodies.keys()) {
    if (allBytes <= OPEN_MAX_BYTES) return;
    endBody(slowest, BUSY);
  }
}

export function closeBody(request: IncomingMessage): void {
  allBytes -= bodies.get(request)?.bytes ?? 0;
  bodies.delete(request);
}

/**
 * Fails the body of a request, if it is being read. The request has been authenticated and routed by then, so the
 * application answers, counts and logs it like any other. Returns false if the body is not being read.
 */
export function endBody(request: IncomingMessage, error: ApiError): boolean {
  const body = bodies.get(request);
  body?.fail(error);
  return body !== undefined;
}
