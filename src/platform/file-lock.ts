import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { blockThread } from './block-thread.js';
import { libc } from './libc.js';

/** A lock that is held until it is released or its process ends. The kernel keeps it, so a killed process blocks nobody. */
export interface FileLock {
  release(): void;
}

/** The name of a lock's holder, such as `compile` or `datasets rollback of the service`; shown to others with the pid. */
export type Holder = string;

/** Takes a lock; undefined if another holder has it. Throws the file system's error. */
export function tryFileLock(path: string, holder: Holder): FileLock | undefined {
  // Opened without truncation, since the file names the current holder. A link is not followed: whoever may write to a
  // datasets directory could otherwise have any file of the one who compiles there overwritten.
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW);
  if (!lockOrClose(fd, 'exclusive')) return undefined;
  write(fd, `${holder}, pid ${process.pid}\n`);
  return {
    release: () => {
      write(fd, '');
      closeSync(fd);
    },
  };
}

/** Locks an open file, or closes it if another holder has it locked or the system has no lock to give. */
export function lockOrClose(fd: number, kind: 'shared' | 'exclusive'): boolean {
  let isTaken = false;
  try {
    isTaken = libc().tryLock(fd, kind);
    return isTaken;
  } finally {
    if (!isTaken) closeSync(fd);
  }
}

const POLL_MS = 50;

/** Like {@link tryFileLock}, but waits up to `waitMs` while another has the lock, blocking the thread. */
export function waitForFileLock(path: string, holder: Holder, waitMs: number): FileLock | undefined {
  const until = performance.now() + waitMs;
  for (;;) {
    const lock = tryFileLock(path, holder);
    if (lock || performance.now() >= until) return lock;
    blockThread(POLL_MS);
  }
}

export interface AwaitedLockOptions {
  readonly waitMs: number;
  /** Aborts the wait: the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Like {@link waitForFileLock}, but without blocking the thread. */
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

/** Who holds a lock, as text for people: `compile (pid 4711)`, or `another process` if the file does not tell. */
export function holderOf(path: string): string {
  try {
    const [, holder, pid] = /^([a-z -]{1,60}), pid (\d{1,10})\n$/.exec(readFileSync(path, 'latin1')) ?? [];
    return holder === undefined ? 'another process' : `${holder} (pid ${pid})`;
  } catch {
    return 'another process';
  }
}

/** Writes the holder's name. A failure, such as on a full disk, is ignored: then the file does not tell who has the lock. */
function write(fd: number, text: string): void {
  try {
    ftruncateSync(fd, 0);
    writeSync(fd, text, 0);
  } catch {
    // The lock is held all the same.
  }
}
