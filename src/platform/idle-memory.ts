import { libc } from './libc.js';

const LOOK_EVERY_MS = 1000;
/** Processor time between two looks, all threads, that is work; and that is none to speak of. */
const BUSY_MS = 200;
const IDLE_MS = 100;
/**
 * At which idle looks after work. What a peak took is garbage until V8 finds time to collect it, some of it after
 * seconds.
 */
const GIVE_BACK_AT: ReadonlySet<number> = new Set([1, 2, 4, 8, 16, 32]);
const LAST = Math.max(...GIVE_BACK_AT);

/** What is looked at and done; tests give their own. */
export interface IdleMemoryDeps {
  /** Processor time that the process has used so far, milliseconds. */
  readonly usedMs: () => number;
  readonly giveBack: () => void;
}

/**
 * Gives what the C library keeps free back to the system while there is nothing to do after work, a few times within half a
 * minute. It keeps what was freed between what is held (answers in the cache, answers on their way): 20 MB of 170 after a
 * minute of load, more after a peak. To give it back takes 4 ms. Gives what ends it.
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
