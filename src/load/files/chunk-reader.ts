import type { Readable } from 'node:stream';

/** Reads a stream in pieces of the reader's choice. */
export interface ChunkReader {
  /** The next bytes, or undefined where the stream ends before that many. */
  take(sizeBytes: number): Promise<Buffer | undefined>;
  /** Passes over bytes; false where the stream ends before. */
  skip(sizeBytes: number): Promise<boolean>;
  /** Reads to the stream's end: only there does a damaged archive show. */
  drain(): Promise<void>;
  close(): void;
}

/** Reads a byte stream in pieces. Only what has not been taken yet is in memory. */
export function createChunkReader(stream: Readable): ChunkReader {
  const chunks = stream[Symbol.asyncIterator]();
  let buffer: Buffer = Buffer.alloc(0);
  const fill = async (sizeBytes: number): Promise<boolean> => {
    if (buffer.byteLength >= sizeBytes) return true;
    const parts = [buffer];
    let total = buffer.byteLength;
    while (total < sizeBytes) {
      const next = await chunks.next();
      if (next.done) break;
      parts.push(next.value);
      total += next.value.byteLength;
    }
    buffer = Buffer.concat(parts, total);
    return total >= sizeBytes;
  };
  const take = async (sizeBytes: number): Promise<Buffer | undefined> => {
    if (!(await fill(sizeBytes))) return undefined;
    const piece = buffer.subarray(0, sizeBytes);
    buffer = buffer.subarray(sizeBytes);
    return piece;
  };
  return {
    take,
    skip: async (sizeBytes) => (await take(sizeBytes)) !== undefined,
    drain: async () => {
      buffer = Buffer.alloc(0);
      while (!(await chunks.next()).done);
    },
    close: () => {
      stream.destroy();
    },
  };
}
