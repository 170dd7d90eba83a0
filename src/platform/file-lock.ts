import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { libc } from './libc.js';

/** A lock that is held until it is released, or its process ends: it is the kernel's, and a killed process blocks nobody. */
export interface FileLock {
  release(): void;
}

/** Whoever wants to hold a lock: `compile`, `datasets rollback of the service`. Others are told it, with the pid. */
export type Holder = string;

/** Takes a lock; undefined where another has it. Throws what the file system throws. */
export function tryFileLock(path: string, holder: Holder): FileLock | undefined {
  // Not emptied by being opened: it names whoever holds it.
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT);
  let isTaken = false;
  try {
    isTaken = libc().tryLock(fd, 'exclusive');
  } finally {
    if (!isTaken) closeSync(fd);
  }
  if (!isTaken) return undefined;
  write(fd, `${holder}, pid ${process.pid}\n`);
  return {
    release: () => {
      write(fd, '');
      closeSync(fd);
    },
  };
}

const POLL_MS = 50;

/** The same, and waits while another has it. Blocks the thread. */
export function waitForFileLock(path: string, holder: Holder, waitMs: number): FileLock | undefined {
  const until = performance.now() + waitMs;
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const lock = tryFileLock(path, holder);
    if (lock || performance.now() >= until) return lock;
    Atomics.wait(sleeping, 0, 0, POLL_MS);
  }
}

export interface AwaitedLockOptions {
  readonly waitMs: number;
  /** Ends the waiting; then what is awaited rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The same, and lets the thread go on meanwhile. */
export async function awaitFileLock(
  path: string,
  holder: Holder,
  { waitMs, signal }: AwaitedLockOptions,
): Promise<FileLock | undefined> {
  const until = performance.now() + waitMs;
  for (;;) {
    const lock = tryFileLock(path, holder);
    if (lock || performance.now() >= until) return lock;
    await delay(POLL_MS);
    signal?.throwIfAborted();
  }
}

/** Who holds a lock, for people: `compile (pid 4711)`; `another process` where its file does not tell. */
export function holderOf(path: string): string {
  try {
    const [, holder, pid] = /^([a-z -]{1,60}), pid (\d{1,10})\n$/.exec(readFileSync(path, 'latin1')) ?? [];
    return holder === undefined ? 'another process' : `${holder} (pid ${pid})`;
  } catch {
    return 'another process';
  }
}

/** A full disk keeps nobody from the lock; then its file does not tell who has it. */
function write(fd: number, text: string): void {
  try {
    ftruncateSync(fd, 0);
    writeSync(fd, text, 0);
  } catch {
    // The lock is held all the same.
  }
}
