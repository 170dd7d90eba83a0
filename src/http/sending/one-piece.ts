import type { Socket } from 'node:net';

/**
 * Has a connection write an answer's text in one piece. Node ends an answer with an empty second one, so that its text takes
 * the way of several: into memory of its own, and from there to the system, instead of straight from the stack. That is 0.9
 * of the 11 µs that bare `node:http` takes for an answer of 900 bytes.
 *
 * `_write` and `_writev` are what streams are implemented by (Node's "API for stream implementers").
 */
export function writeInOnePiece(socket: Socket): void {
  const writeSeveral = socket._writev;
  socket._writev = (chunks, done) => {
    const [first, second] = chunks;
    const isText = chunks.length === 2 && typeof first?.chunk === 'string' && second?.chunk === '';
    if (isText) socket._write(first.chunk, first.encoding, done);
    else writeSeveral?.call(socket, chunks, done);
  };
}
