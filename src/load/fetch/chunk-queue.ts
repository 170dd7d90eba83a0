/** A queue of chunks between a producer and a consumer. */
export interface ChunkQueue {
  push(chunk: Buffer): void;
  /** Ends the queue. Chunks already in it are still delivered, even if it ends with an error. */
  end(error?: Error): void;
  /** The chunks in order; to be consumed once. Rejects with the error, if any, after the last chunk. */
  chunks(): AsyncGenerator<Buffer, void, undefined>;
}

/** The sender is paused when this much is waiting. */
const HIGH_WATER_BYTES = 1024 * 1024;

/**
 * A queue between a connection and a file. Node's streams discard their buffers on failure: if a connection dropped, the
 * data received by then would be lost, and the next attempt could not resume from it.
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
        // `resume` may synchronously push everything that the connection has buffered, up to its end.
        flow.resume();
        await woken;
      }
    },
  };
}
