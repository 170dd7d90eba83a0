import { fstatSync, write, writeSync } from 'node:fs';
import { type Deferred, deferred } from '../core/deferred.js';
import { systemCode } from '../core/system-code.js';
import { blockThread } from './block-thread.js';
import { libc } from './libc.js';

/** Accepts lines and writes them asynchronously. */
export interface LineOutput {
  /** Takes whole lines, each with its line feed. The lines of one call are one write if `maxWriteBytes` allows it. */
  write(lines: string): void;
  /** Writes what is still in memory, as far as possible; to be awaited before the process ends. */
  end(): Promise<void>;
  /** Like {@link end}, but blocking, for a process that cannot wait: a write in progress may come out last. */
  flush(): void;
}

export interface LineOutputOptions {
  readonly fd: number;
  /** Lines are joined into writes of up to this many bytes. */
  readonly maxWriteBytes: number;
  /**
   * Called with the number of lines lost because memory was full while writes failed, or a pipe had no reader, once writing
   * succeeds again.
   */
  readonly onLost: (lines: number) => void;
  readonly system?: WriteCalls;
}

/** The functions of node:fs that are used; injected by tests. */
export interface WriteCalls {
  /** Undefined if {@link writeSync} waits for nobody: then there is no need for another thread. */
  readonly write?: (
    fd: number,
    bytes: Uint8Array,
    from: number,
    length: number,
    position: null,
    done: (error: NodeJS.ErrnoException | null, written: number) => void,
  ) => void;
  writeSync(fd: number, bytes: Uint8Array): number;
}

/** The most bytes that wait in memory: some seconds of a busy service's lines. */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;
const AGAIN_AFTER_MS = 100;
/**
 * The first retry comes after this time, each further one after twice the time before, up to {@link AGAIN_AFTER_MS}: a pipe
 * holds 64 KiB, which a busy service fills anew in less time than its reader may be off the processor.
 */
const FIRST_AGAIN_AFTER_MS = 1;
/** How long an ending process waits for a slow reader. */
const FLUSH_WITHIN_MS = 2000;
const NOTHING = Buffer.alloc(0);

/**
 * Writes lines to a descriptor, on libuv's thread pool if a write may have to wait. A write that fails, for example because
 * the disk is full or the terminal is gone, is retried until it succeeds; meanwhile lines wait in memory, and lines for which
 * there is no room are dropped and counted. While a pipe has no reader, all lines are dropped and counted: a named one may get
 * another. (sonic-boom, which pino would use, never ends a flush that fails.)
 */
export function createLineOutput({ fd, maxWriteBytes, onLost, system = callsFor(fd) }: LineOutputOptions): LineOutput {
  const waiting: Buffer[] = [];
  /** The bytes that are being written, or whose write failed. */
  let piece = NOTHING;
  /** The piece that the last asynchronous write was given: `piece`, unless a flush has moved on meanwhile. */
  let sent = NOTHING;
  /** The total length of `piece` and `waiting`. */
  let unwrittenBytes = 0;
  /** `writing` while a write is in progress, `failed` until a failed one is retried. */
  let state: 'idle' | 'writing' | 'failed' = 'idle';
  /** Awaited by {@link LineOutput.end}; resolved when no write is in progress any more. */
  let settled: Deferred<void> | undefined;
  let againAfterMs = FIRST_AGAIN_AFTER_MS;
  let lost = 0;

  return {
    write: (lines) => {
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
    // The thread pool has this piece, and finishes it before the process ends. An earlier flush may have moved on from it.
    if (state === 'writing' && piece === sent) done(piece.length);
    const endsAtMs = performance.now() + FLUSH_WITHIN_MS;
    while (takePiece()) if (!flushPiece(endsAtMs)) return;
  }

  /** Moves waiting lines to `piece` if that is empty. Returns whether there is something to write. */
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
    if (system.write) writeOn(system.write);
    else writeHere();
  }

  /** Writes the next piece by another thread. */
  function writeOn(write: NonNullable<WriteCalls['write']>): void {
    if (!takePiece()) {
      rest('idle');
      return;
    }
    state = 'writing';
    sent = piece;
    write(fd, sent, 0, sent.length, null, (error, written) => {
      if (error) return fail(error.code);
      // Otherwise a flush has counted this piece as written, and has moved on.
      if (piece === sent) done(written);
      writeNext();
      tellOfLost();
    });
  }

  /** Writes on this thread, until a write fails or all is written. */
  function writeHere(): void {
    try {
      while (takePiece()) done(system.writeSync(fd, piece));
      rest('idle');
    } catch (error) {
      fail(systemCode(error));
      return;
    }
    tellOfLost();
  }

  /** Drops the first bytes of the piece, which have been written. */
  function done(bytes: number): void {
    piece = piece.subarray(bytes);
    unwrittenBytes -= bytes;
    againAfterMs = FIRST_AGAIN_AFTER_MS;
  }

  function rest(next: 'idle' | 'failed'): void {
    state = next;
    settled?.resolve();
    settled = undefined;
  }

  function fail(code: string | undefined): void {
    if (code === 'EPIPE') {
      dropAll();
      rest('idle');
      return;
    }
    rest('failed');
    setTimeout(writeNext, againAfterMs).unref();
    againAfterMs = Math.min(2 * againAfterMs, AGAIN_AFTER_MS);
  }

  function dropAll(): void {
    for (const lines of [piece, ...waiting]) lost += countLines(lines);
    waiting.length = 0;
    piece = NOTHING;
    unwrittenBytes = 0;
  }

  function tellOfLost(): void {
    // Only with room to spare, so that the line that reports the loss is not lost, too.
    if (lost === 0 || unwrittenBytes > MAX_UNWRITTEN_BYTES / 2) return;
    const count = lost;
    lost = 0;
    onLost(count);
  }

  /** Writes the piece synchronously. Returns whether all of it has been written. */
  function flushPiece(endsAtMs: number): boolean {
    while (piece.length > 0) {
      try {
        done(system.writeSync(fd, piece));
      } catch (error) {
        if (!isFull(error) || performance.now() > endsAtMs) return false;
        blockThread(AGAIN_AFTER_MS);
      }
    }
    return true;
  }
}

/**
 * The functions of node:fs, but without waits for the reader of a pipe or socket, which may have stopped for ever: a thread
 * that waits cannot end, nor can its process. Node does not wait either. But the processes of a service share their output,
 * and every one of them that ends leaves it as it was before Node started. So it is said right before each write, and not
 * some time before libuv's thread pool comes to it.
 */
function callsFor(fd: number): WriteCalls {
  const kind = fstatSync(fd);
  if (!kind.isFIFO() && !kind.isSocket()) return { write, writeSync };
  return {
    writeSync: (to, bytes) => {
      libc().neverBlock(to);
      return writeSync(to, bytes);
    },
  };
}

/** Whether a write failed only because a pipe is full: its reader is slow. */
function isFull(error: unknown): boolean {
  return systemCode(error) === 'EAGAIN';
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

const LINE_FEED = 0x0a;
