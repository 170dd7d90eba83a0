import { closeSync, readSync } from 'node:fs';
import { type ByteSource, inPieces } from './byte-source.js';
import { type ContainerReader, openContainer } from './container-reader.js';
import { cannotOpen, FormatError } from './format-error.js';
import { openFile } from './open-file.js';

/**
 * Opens a file whose bytes are read on demand into newly allocated memory: for a single pass over a large file without its
 * pages being charged to the process. Throws {@link FormatError}, and so do its reads.
 */
export function openFileSource(path: string): ByteSource {
  const { fd, sizeBytes } = openFile(path);
  const readSome = (bytes: Uint8Array, offset: number): number => {
    try {
      return readSync(fd, bytes, 0, bytes.length, offset);
    } catch (error) {
      throw cannotOpen(path, error);
    }
  };
  const readInto = (bytes: Uint8Array, offset: number): void => {
    let done = 0;
    while (done < bytes.length) {
      const count = readSome(bytes.subarray(done), offset + done);
      if (count === 0) throw new FormatError('wrong-length', path, `ends at ${offset + done} of ${sizeBytes} bytes`);
      done += count;
    }
  };
  const read = (offset: number, length: number): Buffer<ArrayBuffer> => {
    const bytes = Buffer.allocUnsafeSlow(length);
    readInto(bytes, offset);
    return bytes;
  };
  /** Of the last piece. A new one for each would have V8 collect its garbage all the time. */
  let memory = new Uint8Array(0);
  const readPiece = (offset: number, length: number): Uint8Array => {
    if (memory.length < length) memory = Buffer.allocUnsafeSlow(length);
    const piece = memory.subarray(0, length);
    readInto(piece, offset);
    return piece;
  };
  return {
    label: path,
    sizeBytes,
    view: read,
    pieces: (offset, length) => inPieces(offset, length, readPiece),
    buffer: (offset, length) => read(offset, length).buffer,
    release: () => closeSync(fd),
  };
}

/** Reads from a compiled file of the given kind without mapping it. What `read` returns must not need the file any more. */
export function readContainer<T>(path: string, kind: string, read: (container: ContainerReader) => T): T {
  const source = openFileSource(path);
  try {
    return read(openContainer(source, kind));
  } finally {
    source.release();
  }
}
