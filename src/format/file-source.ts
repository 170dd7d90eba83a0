import { closeSync, readSync } from 'node:fs';
import type { ByteSource } from './byte-source.js';
import { FormatError } from './format-error.js';
import { openFile } from './open-file.js';

/**
 * Opens a file whose bytes are read on demand into newly allocated memory: for a single pass over a large file without its
 * pages being charged to the process. Throws {@link FormatError}.
 */
export function openFileSource(path: string): ByteSource {
  const { fd, sizeBytes } = openFile(path);
  const read = (offset: number, length: number): Buffer<ArrayBuffer> => {
    const bytes = Buffer.allocUnsafeSlow(length);
    let done = 0;
    while (done < length) {
      const count = readSync(fd, bytes, done, length - done, offset + done);
      if (count === 0) throw new FormatError('wrong-length', path, `ends at ${offset + done} of ${sizeBytes} bytes`);
      done += count;
    }
    return bytes;
  };
  return {
    label: path,
    sizeBytes,
    view: read,
    buffer: (offset, length) => read(offset, length).buffer,
    release: () => closeSync(fd),
  };
}
