import { isRunning } from '../../platform/is-running.js';

/** A lock between processes. Its holder must not wait for anything. */
export interface ProcessLock {
  /** Takes the lock; waits while a process has it that gets on with its work. */
  acquire(): void;
  /** Whether it has not been taken over since it was acquired. */
  isOwn(): boolean;
  release(): void;
}

export interface ProcessLockOptions {
  /** Shared memory, zero at first. */
  readonly words: Int32Array;
  /** The word that names the holder. */
  readonly at: number;
  /** Called with the lock held when it was taken over from a holder that may have left its work half done. */
  readonly repair: () => void;
  /**
   * Called with the lock held when it had been taken over from this process, which went on all the same: what it wrote since
   * may have spoiled anything.
   */
  readonly startOver: () => void;
  /** How long a holder that seems to run may take. */
  readonly patienceMs?: number | undefined;
}

const FREE = 0;
/** Some 20 µs: longer than a holder that runs needs. */
const TRIES_AWAKE = 1000;
/** A holder that does not run has lost its processor; it gets ours. */
const NAP_MS = 0.05;
/**
 * Work takes microseconds, and 200 ms where much memory is added: who has not done by then is stopped, or is another
 * process.
 */
const PATIENCE_MS = 3000;
/** Process ids have 22 bits on Linux, and fewer on macOS; those above them count what one process takes. */
const PID_BITS = 22;
const PID_MASK = (1 << PID_BITS) - 1;

/**
 * A spin lock whose word names its holder, so that a holder that was killed is found and its lock taken over. One that
 * seems to run and does not get on is taken over from, too, after a while: its process id may be another process's by
 * now, or it was stopped. When that one goes on, it finds at the end of its work that the lock is not its own any more.
 * Atomics work on any memory, though they may wait on none but a SharedArrayBuffer; who waits longer therefore naps on
 * one of its own. Between taking and giving back, plain reads and writes suffice: both are sequentially consistent.
 */
export function createProcessLock(options: ProcessLockOptions): ProcessLock {
  const { words, at, repair, startOver, patienceMs = PATIENCE_MS } = options;
  /** Another value each time, so that who waits can tell whether the holder gets on. */
  let own = process.pid;
  const nap = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

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
      Atomics.wait(nap, 0, 0, NAP_MS);
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
