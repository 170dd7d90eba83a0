import { fstatSync, writeFileSync } from 'node:fs';

/**
 * Makes an output that goes to a file write all of a chunk, or fail. On an almost full disk, write(2) writes a part, which
 * Node takes for all of it.
 */
export function writeWholeChunks(stream: NodeJS.WriteStream & { readonly fd: number }): void {
  if (!fstatSync(stream.fd).isFile()) return;
  stream._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      writeFileSync(stream.fd, chunk);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    done();
  };
}
