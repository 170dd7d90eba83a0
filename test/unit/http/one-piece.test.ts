import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { writeInOnePiece } from '../../../src/http/sending/one-piece.js';

type Chunk = { readonly chunk: string | Uint8Array };

/** A socket that is connected to nothing and keeps what would be written, by the way it would be. */
function recordingSocket() {
  const socket = new Socket();
  const written: (string | string[])[] = [];
  socket._write = (chunk: string | Uint8Array, _encoding, done) => {
    written.push(chunk.toString());
    done();
  };
  socket._writev = (chunks: readonly Chunk[], done) => {
    written.push(chunks.map(({ chunk }) => chunk.toString()));
    done();
  };
  writeInOnePiece(socket);
  const writeAtOnce = (...chunks: readonly (string | Uint8Array)[]) => {
    const done = vi.fn();
    socket.cork();
    for (const chunk of chunks) socket.write(chunk, 'latin1', done);
    socket.uncork();
    return done;
  };
  return { written, writeAtOnce };
}

test('a text and the empty end behind it are written as one piece, and both are reported', async () => {
  const { written, writeAtOnce } = recordingSocket();
  const done = writeAtOnce('an answer', '');
  await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(2));
  expect(written).toEqual(['an answer']);
});

test.each([
  ['bytes', ['a head', Buffer.from('a body'), '']],
  ['bytes and an end', [Buffer.from('a body'), '']],
  ['two texts', ['an answer', 'another']],
  ['two texts and an end', ['an answer', 'another', '']],
])('%s are written together', async (_what, chunks) => {
  const { written, writeAtOnce } = recordingSocket();
  const done = writeAtOnce(...chunks);
  await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(chunks.length));
  expect(written).toEqual([chunks.map(String)]);
});
