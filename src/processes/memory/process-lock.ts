import { blockThread } from '../../platform/block-thread.js';
import { isRunning } from '../../platform/is-running.js';

/** A lock between processes. Its holder must not block or await anything. */
export interface ProcessLock {
  /** Takes the lock; waits while a process that is making progress holds it. */
  acquire(): void;
  /** Whether this process still holds the lock: no other has taken it over since it was acquired. */
  isOwn(): boolean;
  release(): void;
}

export interface ProcessLockOptions {
  /** Shared memory, initially zero. */
  readonly words: Int32Array;
  /** The word that names the holder. */
  readonly at: number;
  /** Called with the lock held after taking it over from a holder that may have left its work half done. */
  readonly repair: () => void;
  /**
   * Called with the lock held after another process had taken it over from this one, which went on unawares: what it wrote
   * since then may have corrupted anything.
   */
  readonly startOver: () => void;
  /** How long a holder that seems to be running may take. */
  readonly patienceMs?: number | undefined;
}

const FREE = 0;
/** Some 20 µs: longer than a holder that runs needs. */
const TRIES_AWAKE = 1000;
/** A holder that takes longer has been descheduled; sleeping lets it have this processor. */
const NAP_MS = 0.05;
/**
 * Work under the lock takes microseconds, or 200 ms if much memory is added: a holder that is not done by then has been
 * stopped, or its process id now belongs to another process.
 */
const PATIENCE_MS = 3000;
/** Process ids have at most 22 bits on Linux, and fewer on macOS; the bits above count the process's acquisitions. */
const PID_BITS = 22;
const PID_MASK = (1 << PID_BITS) - 1;

/**
 * A spin lock whose word names its holder, so that the lock of a holder that was killed can be detected and taken over. The
 * lock is also taken over from a holder that seems to run but makes no progress for a while: its process id may belong to
 * another process by now, or it was stopped. When a stopped holder goes on, it finds on release that the lock is not its
 * own any more. Atomic operations work on any memory, but Atomics.wait only on a SharedArrayBuffer; a process that waits
 * longer therefore sleeps on a private one. Between acquire and release, plain reads and writes suffice, since the atomic
 * operations of both are sequentially consistent.
 */
export function createProcessLock(options: ProcessLockOptions): ProcessLock {
  const { words, at, repair, startOver, patienceMs = PATIENCE_MS } = options;
  /** Another value for each acquisition, so that a waiting process can tell whether the holder makes progress. */
  let own = process.pid;

  const waitFor = (): void => {
    let seen = FREE;
    let sinceMs = 0;
    for (let tries = 1; ; tries++) {
      const holder = Atomics.compareExchange(words, at, FREE, own);
      if (holder === FREE) return;
      if (tries % TRIES_AWAKE !== 0) continue;
      const nowMs = performance.now();
      if (holder !== seen) [seen, sinceMs] = [holder, nowMs];
      const isLost = nowMs - sinceMs > patienceMs || !isRunning(holder & PID_MASK);
      if (isLost && Atomics.compareExchange(words, at, holder, own) === holder) {
        repair();
        return;
      }
      blockThread(NAP_MS);
    }
  };
  const acquire = (): void => {
    own = (own + (1 << PID_BITS)) | 0;
    if (Atomics.compareExchange(words, at, FREE, own) !== FREE) waitFor();
  };
  const release = (): void => {
    if (Atomics.compareExchange(words, at, own, FREE) === own) return;
    acquire();
    startOver();
    release();
  };
  return { acquire, isOwn: () => Atomics.load(words, at) === own, release };
}
