import { open } from 'node:fs/promises';

/** A table that lost more than this in one change is more likely to be cut off. */
const LEAST_SHARE = 0.5;

const LINE_BREAKS: readonly number[] = [0x0a, 0x0d];

/**
 * Why a table looks cut off beside the copy that was fetched before; undefined where it does not. For what came without its
 * length: the end of the connection is then the file's, whatever ended it.
 */
export async function cutOffBeside(path: string, before: string): Promise<string | undefined> {
  const [came, had] = [await measure(path), await measure(before)];
  if (came.sizeBytes < had.sizeBytes * LEAST_SHARE) {
    return `${came.sizeBytes} bytes came, and the copy that is there has ${had.sizeBytes}`;
  }
  return had.endsInLineBreak && !came.endsInLineBreak ? 'its last line has no end' : undefined;
}

async function measure(path: string): Promise<{ readonly sizeBytes: number; readonly endsInLineBreak: boolean }> {
  const handle = await open(path, 'r');
  try {
    const { size: sizeBytes } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, sizeBytes - 1));
    return { sizeBytes, endsInLineBreak: LINE_BREAKS.includes(buffer.subarray(0, bytesRead)[0] ?? 0) };
  } finally {
    await handle.close();
  }
}
