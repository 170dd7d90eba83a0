/** Chunks on their way from whoever has them to whoever wants them. */
export interface ChunkQueue {
  push(chunk: Buffer): void;
  /** Nothing more comes; with an error, the chunks before it are given all the same. */
  end(error?: Error): void;
  /** The chunks in their order, once. Rejects with the error after the last of them. */
  chunks(): AsyncGenerator<Buffer, void, undefined>;
}

/** So much may wait before the sender is asked to pause. */
const HIGH_WATER_BYTES = 1024 * 1024;

/**
 * A queue between a connection and a file. Node's streams throw away what they hold when they fail: of a connection that
 * drops, what had come by then would be lost, and with it what the next attempt could go on from.
 */
export function createChunkQueue(flow: { pause(): void; resume(): void }): ChunkQueue {
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let ended = false;
  let failure: Error | undefined;
  let wake = (): void => {};
  return {
    push: (chunk) => {
      waiting.push(chunk);
      waitingBytes += chunk.byteLength;
      if (waitingBytes >= HIGH_WATER_BYTES) flow.pause();
      wake();
    },
    end: (error) => {
      ended = true;
      failure ??= error;
      wake();
    },
    chunks: async function* () {
      for (;;) {
        for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) {
          waitingBytes -= chunk.byteLength;
          yield chunk;
        }
        if (failure) throw failure;
        if (ended) return;
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        // What the connection holds back may come, to its end, before this returns.
        flow.resume();
        await woken;
      }
    },
  };
}
