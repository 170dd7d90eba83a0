import type { Dispatcher } from 'undici';
import { type ChunkQueue, createChunkQueue } from './chunk-queue.js';

/** An answer as it comes in. */
export interface Exchange {
  readonly status: number;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** Read once: the rest is dropped with the connection where the reader leaves. */
  readonly body: AsyncIterable<Buffer>;
  /** Ends the connection: nothing more of the body is wanted. */
  discard(): void;
}

/** Sends a GET; resolves with the answer's head. Rejects with whatever kept it from coming, and when the signal aborts. */
export function exchange(
  dispatcher: Dispatcher,
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let queue: ChunkQueue | undefined;
    let control: Dispatcher.DispatchController | undefined;
    const discard = (): void => control?.abort(new Error('not wanted'));
    const abort = (): void => control?.abort(new Error('stopped'));
    const settle = (error?: Error): void => {
      signal.removeEventListener('abort', abort);
      queue?.end(error);
      if (error) reject(error);
    };
    signal.addEventListener('abort', abort);
    const { origin, pathname, search } = url;
    dispatcher.dispatch(
      { origin, path: pathname + search, method: 'GET', headers: { ...headers } },
      {
        onRequestStart: (controller) => {
          control = controller;
          if (signal.aborted) abort();
        },
        onResponseStart: (controller, status, received) => {
          if (status < 200) return;
          const chunks = createChunkQueue(controller);
          queue = chunks;
          const header = (name: string): string | undefined => [received[name]].flat()[0];
          resolve({ status, header, body: discardingRest(chunks.chunks(), discard), discard });
        },
        onResponseData: (_controller, chunk) => queue?.push(chunk),
        onResponseEnd: () => settle(),
        onResponseError: (_controller, error) => settle(error),
      },
    );
  });
}

async function* discardingRest(chunks: AsyncGenerator<Buffer, void, undefined>, discard: () => void) {
  let finished = false;
  try {
    yield* chunks;
    finished = true;
  } finally {
    if (!finished) discard();
  }
}
