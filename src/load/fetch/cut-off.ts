import { open } from 'node:fs/promises';

/** A table below this share of its previous size was more likely cut off than changed by the agency. */
const LEAST_SHARE = 0.5;

const LINE_BREAKS: readonly number[] = [0x0a, 0x0d];

/**
 * Why a table looks cut off compared with the copy fetched before; undefined if it does not. For responses without a
 * length: the end of the connection is then taken for the end of the file, whatever ended it.
 */
export async function cutOffBeside(path: string, before: string): Promise<string | undefined> {
  const [came, had] = [await measure(path), await measure(before)];
  if (came.sizeBytes < had.sizeBytes * LEAST_SHARE) {
    return `${came.sizeBytes} bytes arrived, but the existing copy has ${had.sizeBytes}`;
  }
  return had.endsInLineBreak && !came.endsInLineBreak ? 'its last line has no line break' : undefined;
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
