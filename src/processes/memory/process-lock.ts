/** A lock between processes. Its holder must not wait for anything. */
export interface ProcessLock {
  /** Takes the lock; waits while a running process has it. */
  acquire(): void;
  release(): void;
}

export interface ProcessLockOptions {
  /** Shared memory, zero at first. */
  readonly words: Int32Array;
  /** The word that holds the holder's process id. */
  readonly at: number;
  /** Called with the lock held when its holder was killed and may have left its work half done. */
  readonly repair: () => void;
}

const FREE = 0;
/** Some 20 µs: longer than a holder that runs needs. */
const TRIES_AWAKE = 1000;
/** A holder that does not run has lost its processor; it gets ours. */
const NAP_MS = 0.05;

/**
 * A spin lock whose word names its holder, so that a holder that was killed is found and its lock taken over. Atomics work
 * on any memory, though they may wait on none but a SharedArrayBuffer; who waits longer therefore naps on one of its own.
 * Between taking and giving back, plain reads and writes suffice: both are sequentially consistent.
 */
export function createProcessLock({ words, at, repair }: ProcessLockOptions): ProcessLock {
  const { pid } = process;
  const nap = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

  const waitFor = (): void => {
    for (let tries = 1; ; tries++) {
      const holder = Atomics.compareExchange(words, at, FREE, pid);
      if (holder === FREE) return;
      if (tries % TRIES_AWAKE !== 0) continue;
      if (!isRunning(holder) && Atomics.compareExchange(words, at, holder, pid) === holder) {
        repair();
        return;
      }
      Atomics.wait(nap, 0, 0, NAP_MS);
    }
  };
  return {
    acquire: () => {
      if (Atomics.compareExchange(words, at, FREE, pid) !== FREE) waitFor();
    },
    release: () => {
      Atomics.store(words, at, FREE);
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 is none: it only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
