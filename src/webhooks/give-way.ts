import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Requests are to come first where there is not enough processor for both, and deliveries are still to go on. */
const NICER_BY = 10;
const NICEST = 19;
/** Linux has a priority for each thread. */
const OWN_THREADS = '/proc/self/task';

/**
 * Lowers the priority of this process: of all threads that it has, whose own threads begin with theirs. Where the system
 * refuses that, deliveries go on as they are.
 */
export function giveWay(): void {
  // From where it was started: without privileges nobody may raise one that is lower than that already.
  const niceness = Math.min(NICEST, getPriority() + NICER_BY);
  for (const thread of ownThreads()) {
    try {
      setPriority(thread, niceness);
    } catch {
      // It may have ended meanwhile.
    }
  }
}

function ownThreads(): number[] {
  if (process.platform !== 'linux') return [process.pid];
  try {
    return readdirSync(OWN_THREADS).map(Number);
  } catch {
    return [process.pid];
  }
}
