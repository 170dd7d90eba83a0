import { write, writeSync } from 'node:fs';
import { type Deferred, deferred } from '../core/deferred.js';
import { systemCode } from '../core/system-code.js';

/** Where lines go without anybody waiting for them. */
export interface LineOutput {
  /** Takes whole lines, each with its line feed. What is given at once stays together if `maxWriteBytes` allows it. */
  write(lines: string): void;
  /** Writes what is still in memory, as far as that is possible; to be awaited before the process ends. */
  end(): Promise<void>;
  /** The same at once, for a process that cannot wait: what is being written just then may come out last. */
  flush(): void;
}

export interface LineOutputOptions {
  readonly fd: number;
  /** Lines are joined up to so many bytes a write. */
  readonly maxWriteBytes: number;
  /** Told how many lines found no room in memory while nothing could be written, once it can be again. */
  readonly onLost: (lines: number) => void;
  readonly system?: WriteCalls;
}

/** What of node:fs is used. */
export interface WriteCalls {
  write(
    fd: number,
    bytes: Uint8Array,
    from: number,
    length: number,
    position: null,
    done: (error: NodeJS.ErrnoException | null, written: number) => void,
  ): void;
  writeSync(fd: number, bytes: Uint8Array): number;
}

/** What may wait in memory: some seconds of a busy service's lines. */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;
const AGAIN_AFTER_MS = 100;
/** How long a process that ends waits for a reader that is slow. */
const FLUSH_WITHIN_MS = 2000;
const NOTHING = Buffer.alloc(0);

/**
 * Writes lines to a descriptor, on the thread pool. A write that fails, such as for a full disk or a terminal that is
 * gone, is tried again until it goes through: meanwhile lines wait, and those that find no room are lost and counted.
 * Where the reader has gone away for good, all are lost. (sonic-boom, pino's own, never ends a flush that fails.)
 */
export function createLineOutput({
  fd,
  maxWriteBytes,
  onLost,
  system = { write, writeSync },
}: LineOutputOptions): LineOutput {
  const waiting: Buffer[] = [];
  /** What is being written, or could not be. */
  let piece = NOTHING;
  /** Of the piece and of all that waits. */
  let unwrittenBytes = 0;
  /** Whether a write is under way, or the next attempt of one that failed is awaited. */
  let state: 'idle' | 'writing' | 'failed' = 'idle';
  /** Of who waits for the end of what is under way. */
  let settled: Deferred<void> | undefined;
  let isReaderGone = false;
  let lost = 0;

  return {
    write: (lines) => {
      if (isReaderGone) return;
      const bytes = Buffer.from(lines);
      if (unwrittenBytes + bytes.length > MAX_UNWRITTEN_BYTES) {
        lost += countLines(bytes);
        return;
      }
      waiting.push(bytes);
      unwrittenBytes += bytes.length;
      if (state === 'idle') writeNext();
    },
    end: async () => {
      if (state === 'writing') {
        settled ??= deferred();
        setTimeout(settled.resolve, FLUSH_WITHIN_MS).unref();
        await settled.promise;
      }
      flush();
    },
    flush,
  };

  function flush(): void {
    // The thread pool has this one, which it finishes before the process ends.
    if (state === 'writing') done(piece.length);
    const endsAtMs = performance.now() + FLUSH_WITHIN_MS;
    while (takePiece()) if (!flushPiece(endsAtMs)) return;
  }

  /** Whether there is something to write, all in `piece`. */
  function takePiece(): boolean {
    if (piece.length > 0) return true;
    let [count, length] = [0, 0];
    for (const { length: more } of waiting) {
      if (count > 0 && length + more > maxWriteBytes) break;
      length += more;
      count++;
    }
    piece = Buffer.concat(waiting.splice(0, count), length);
    return count > 0;
  }

  function writeNext(): void {
    if (!takePiece()) {
      rest('idle');
      return;
    }
    state = 'writing';
    const sent = piece;
    system.write(fd, sent, 0, sent.length, null, (error, written) => {
      if (error) return fail(error);
      // Else a flush has left this one to the thread pool, and has gone on.
      if (piece === sent) done(written);
      writeNext();
      tellOfLost();
    });
  }

  /** So many bytes of the piece need nothing more. */
  function done(bytes: number): void {
    piece = piece.subarray(bytes);
    unwrittenBytes -= bytes;
  }

  function rest(next: 'idle' | 'failed'): void {
    state = next;
    settled?.resolve();
    settled = undefined;
  }

  function fail({ code }: NodeJS.ErrnoException): void {
    rest('failed');
    if (code === 'EPIPE') forgetAll();
    else setTimeout(writeNext, AGAIN_AFTER_MS).unref();
  }

  function forgetAll(): void {
    isReaderGone = true;
    waiting.length = 0;
    piece = NOTHING;
    unwrittenBytes = 0;
  }

  function tellOfLost(): void {
    // With room to spare, so that the line that tells it does not get lost, too.
    if (lost === 0 || unwrittenBytes > MAX_UNWRITTEN_BYTES / 2) return;
    const count = lost;
    lost = 0;
    onLost(count);
  }

  /** Whether it has been written. */
  function flushPiece(endsAtMs: number): boolean {
    while (piece.length > 0) {
      try {
        done(system.writeSync(fd, piece));
      } catch (error) {
        if (!isFull(error) || performance.now() > endsAtMs) return false;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_AFTER_MS);
      }
    }
    return true;
  }
}

/** A pipe whose reader has not come round to it yet. */
function isFull(error: unknown): boolean {
  return systemCode(error) === 'EAGAIN';
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

const LINE_FEED = 0x0a;
