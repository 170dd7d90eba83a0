import type { Readable } from 'node:stream';

/** Reads a stream in pieces of the size that the caller asks for. */
export interface ChunkReader {
  /** The next `sizeBytes` bytes, or undefined if the stream ends before that many. */
  take(sizeBytes: number): Promise<Buffer | undefined>;
  /** Reads to the stream's end: only there does damage to an archive show. */
  drain(): Promise<void>;
  close(): void;
}

/** Creates a reader of a byte stream. Only bytes that have been read and not yet taken are in memory. */
export function createChunkReader(stream: Readable): ChunkReader {
  const chunks = stream[Symbol.asyncIterator]();
  let buffer: Buffer = Buffer.alloc(0);
  const fill = async (sizeBytes: number): Promise<void> => {
    const parts = [buffer];
    let total = buffer.byteLength;
    while (total < sizeBytes) {
      const next = await chunks.next();
      if (next.done) break;
      parts.push(next.value);
      total += next.value.byteLength;
    }
    buffer = Buffer.concat(parts, total);
  };
  return {
    take: async (sizeBytes) => {
      if (buffer.byteLength < sizeBytes) await fill(sizeBytes);
      if (buffer.byteLength < sizeBytes) return undefined;
      const piece = buffer.subarray(0, sizeBytes);
      buffer = buffer.subarray(sizeBytes);
      return piece;
    },
    drain: async () => {
      buffer = Buffer.alloc(0);
      while (!(await chunks.next()).done);
    },
    close: () => {
      stream.destroy();
    },
  };
}
