import { isDiskFull } from './free-space.js';
import { asNetworkError, type HttpAnswer } from './http-client.js';
import type { PartFile } from './part-file.js';

/**
 * Appends the response's body to the part. If the body breaks off, what has arrived is kept. Throws `FetchError` and
 * file-system errors.
 */
export async function receive(
  answer: HttpAnswer,
  part: PartFile,
  signal: AbortSignal,
  onBytes: (doneBytes: number) => void,
): Promise<void> {
  onBytes(part.sizeBytes);
  try {
    for await (const chunk of networkOnly(answer.body, signal)) {
      await part.append(chunk);
      onBytes(part.sizeBytes);
    }
  } catch (error) {
    // On a full disk, that would fail, too.
    if (!isDiskFull(error)) await part.sync();
    throw error;
  }
}

/** Yields the same chunks, but turns failures to read them into network errors; failures to write them are not touched. */
async function* networkOnly(body: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw asNetworkError(error, signal);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}
