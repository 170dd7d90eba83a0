import { open } from 'node:fs/promises';
import type { InputFile } from '../input.js';

/** A file's first bytes, from which its kind can be told; fewer than `sizeBytes` if the file is shorter. */
export async function readHead(path: string, sizeBytes: number): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sizeBytes), 0, sizeBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** A file's last bytes, and where they begin; all of them if the file is shorter than `sizeBytes`. */
export async function readTail(path: string, sizeBytes: number): Promise<{ tail: Buffer; start: number }> {
  const handle = await open(path, 'r');
  try {
    const start = Math.max(0, (await handle.stat()).size - sizeBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sizeBytes), 0, sizeBytes, start);
    return { tail: buffer.subarray(0, bytesRead), start };
  } finally {
    await handle.close();
  }
}

/** The first decompressed bytes of an input file; all of them if it is shorter than `sizeBytes`. The rest is not read. */
export async function firstBytes(file: InputFile, sizeBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  const stream = await file.open();
  for await (const chunk of stream) {
    chunks.push(chunk);
    total += chunk.length;
    // Leaving the loop destroys the stream.
    if (total >= sizeBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, sizeBytes);
}
