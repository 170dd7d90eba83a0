import { libc } from './libc.js';

const LOOK_EVERY_MS = 1000;
/** The processor time of all threads between two looks above which the process is busy, and up to which it is idle. */
const BUSY_MS = 200;
const IDLE_MS = 100;
/**
 * The idle looks, counted since the last work, at which memory is given back: several, since what a peak allocated is
 * garbage until V8 finds time to collect it, some of it only after seconds.
 */
const GIVE_BACK_AT: ReadonlySet<number> = new Set([1, 2, 4, 8, 16, 32]);
const LAST = Math.max(...GIVE_BACK_AT);

/** Injected by tests. */
export interface IdleMemoryDeps {
  /** Processor time that the process has used so far, milliseconds. */
  readonly usedMs: () => number;
  readonly giveBack: () => void;
}

/**
 * Returns the C library's free memory to the system when the process becomes idle after work, a few times within half a
 * minute. The C library keeps memory that was freed between blocks still in use (answers in the cache, answers being sent):
 * 20 MB of 170 after a minute of load, more after a peak. Giving it back takes 4 ms. Returns a function that stops this.
 */
export function giveBackMemoryWhenIdle(
  { usedMs, giveBack }: IdleMemoryDeps = { usedMs: processorMs, giveBack: () => libc().giveBackFreeMemory() },
): () => void {
  let before = usedMs();
  let idleLooks = LAST;
  const timer = setInterval(() => {
    const now = usedMs();
    const used = now - before;
    before = now;
    if (used > BUSY_MS) idleLooks = 0;
    if (used > IDLE_MS || idleLooks === LAST) return;
    idleLooks++;
    if (GIVE_BACK_AT.has(idleLooks)) giveBack();
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
