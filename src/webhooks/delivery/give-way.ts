import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Under CPU contention requests come first, yet deliveries still make progress. */
const NICER_BY = 10;
const NICEST = 19;
/** On Linux, the only system that has this folder, each thread has a priority of its own. */
const OWN_THREADS = '/proc/self/task';

/**
 * Lowers the priority of this process, that is, of all its present threads; threads they start later inherit it. If the
 * system refuses, deliveries run at the former priority.
 */
export function giveWay(): void {
  // Relative to the inherited niceness: an unprivileged process cannot raise a priority that is already lower.
  const niceness = Math.min(NICEST, getPriority() + NICER_BY);
  for (const thread of ownThreads()) {
    try {
      setPriority(thread, niceness);
    } catch {
      // The thread may have ended meanwhile, or the system refuses.
    }
  }
}

function ownThreads(): number[] {
  try {
    return readdirSync(OWN_THREADS).map(Number);
  } catch {
    return [process.pid];
  }
}
