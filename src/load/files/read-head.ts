import { open } from 'node:fs/promises';

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
