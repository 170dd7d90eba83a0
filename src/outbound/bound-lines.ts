import type { Socket } from 'node:net';

/** As many as undici takes of all header fields together. */
const LINE_MAX_BYTES = 16 * 1024;
const LINE_FEED = 0x0a;

/**
 * Ends a socket's connection once a line that it reads is far too long. undici bounds the header fields of an answer, but
 * takes any number of bytes for its status line, as fast as the other side can send them. Only for answers whose bodies
 * nobody reads: one of these may be a single line.
 */
export function boundLines(socket: Socket): void {
  const read = socket.read.bind(socket);
  let lineBytes = 0;
  socket.read = (sizeBytes) => {
    // Not before the reader has seen what came until now: it may hold a whole answer, with the beginning of a long body.
    if (lineBytes > LINE_MAX_BYTES) {
      socket.destroy(new Error('a line without an end'));
      return null;
    }
    const chunk: unknown = read(sizeBytes);
    if (!Buffer.isBuffer(chunk)) return chunk;
    const end = chunk.lastIndexOf(LINE_FEED);
    lineBytes = end < 0 ? lineBytes + chunk.length : chunk.length - end - 1;
    return chunk;
  };
}
