import type { Dispatcher } from 'undici';
import { type ChunkQueue, createChunkQueue } from './chunk-queue.js';

/** A response whose body is still arriving. */
export interface Exchange {
  readonly status: number;
  /** By lower-case name; undefined if it is absent or empty. */
  header(name: string): string | undefined;
  /** To be read once; a reader that stops early drops the rest, and the connection. */
  readonly body: AsyncIterable<Buffer>;
  /** Drops the connection and the rest of the body. */
  discard(): void;
}

/**
 * Sends a GET and resolves with the response's head. Rejects with the error that prevented it, when the signal aborts, and
 * after `headTimeoutMs` without a head: with a proxy that drops each connection, new ones would be opened endlessly.
 */
export function exchange(
  dispatcher: Dispatcher,
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  headTimeoutMs: number,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let queue: ChunkQueue | undefined;
    let control: Dispatcher.DispatchController | undefined;
    let givenUp: Error | undefined;
    const settle = (error?: Error): void => {
      watch.end();
      queue?.end(error);
      if (error) reject(error);
    };
    const watch = watchOver(signal, headTimeoutMs, (error) => {
      givenUp = error;
      // Before the request has started there is no controller; `onRequestStart` aborts it then.
      control?.abort(error);
      settle(error);
    });
    const discard = (): void => control?.abort(new Error('not wanted'));
    const { origin, pathname, search } = url;
    dispatcher.dispatch(
      { origin, path: pathname + search, method: 'GET', headers: { ...headers } },
      {
        onRequestStart: (controller) => {
          control = controller;
          if (givenUp) controller.abort(givenUp);
        },
        onResponseStart: (controller, status, received) => {
          if (status < 200) return;
          watch.headCame();
          const chunks = createChunkQueue(controller);
          queue = chunks;
          const header = (name: string): string | undefined => [received[name]].flat()[0] || undefined;
          resolve({ status, header, body: discardingRest(chunks.chunks(), discard), discard });
        },
        onResponseData: (_controller, chunk) => queue?.push(chunk),
        onResponseEnd: () => settle(),
        onResponseError: (_controller, error) => settle(error),
      },
    );
  });
}

/** Calls `giveUp`, never synchronously, when the signal aborts or no head has arrived in time. */
function watchOver(
  signal: AbortSignal,
  headTimeoutMs: number,
  giveUp: (error: Error) => void,
): { headCame(): void; end(): void } {
  const stop = (): void => giveUp(new Error('stopped'));
  const late = (): void => giveUp(new Error(`no answer within ${headTimeoutMs / 1000} s`));
  const timer = setTimeout(signal.aborted ? stop : late, signal.aborted ? 0 : headTimeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  return {
    headCame: () => clearTimeout(timer),
    end: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
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
