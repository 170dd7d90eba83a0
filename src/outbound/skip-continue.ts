import type { Socket } from 'node:net';

/** A `100 Continue`, which may have header fields. */
const CONTINUE = /^HTTP\/1\.1 100(?: [^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\n/;
const STATUS_LINE = Buffer.from('HTTP/1.1 100');
/** More bytes than this that still have no end are not held back. */
const CONTINUE_MAX_BYTES = 4096;
/** A server that sends more of them in a row is given up. */
const IN_A_ROW_MAX = 16;

/**
 * Drops each `100 Continue` from what a socket reads. Some servers send one to every POST, and a client has to expect it (RFC
 * 9110, 15.2), but undici takes it for a bad response: the answer that follows would be lost, although it came. What may be
 * the beginning of one is held back until more comes. Only for answers whose bodies nobody reads: a piece of one that begins
 * like a `100 Continue` would lose its beginning, or come late.
 */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  let inARow = 0;
  let held: Buffer | undefined;
  socket.read = (sizeBytes) => {
    for (;;) {
      const chunk: unknown = read(sizeBytes);
      if (!Buffer.isBuffer(chunk)) return chunk;
      let rest = held ? Buffer.concat([held, chunk]) : chunk;
      held = undefined;
      while (inARow < IN_A_ROW_MAX) {
        const continued = continueAtStart(rest);
        if (continued === 0) break;
        rest = rest.subarray(continued);
        inARow++;
      }
      if (rest.length === 0) continue;
      if (inARow < IN_A_ROW_MAX && mayBecomeContinue(rest)) {
        held = rest;
        continue;
      }
      inARow = 0;
      return rest;
    }
  };
}

/** The length of the `100 Continue` that the bytes begin with; 0 if there is none. */
function continueAtStart(bytes: Buffer): number {
  if (!bytes.subarray(0, STATUS_LINE.length).equals(STATUS_LINE)) return 0;
  return CONTINUE.exec(bytes.toString('latin1'))?.[0].length ?? 0;
}

/** Whether the bytes may be the beginning of a `100 Continue` whose rest has not come yet. */
function mayBecomeContinue(bytes: Buffer): boolean {
  const known = bytes.subarray(0, STATUS_LINE.length);
  if (!known.equals(STATUS_LINE.subarray(0, known.length))) return false;
  return bytes.length < CONTINUE_MAX_BYTES && !bytes.includes('\r\n\r\n');
}
