import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Requests are to come first where there is not enough processor for both, and deliveries are still to go on. */
const NICENESS = 10;
/** Linux has a priority for each thread. */
const OWN_THREADS = '/proc/self/task';

/** Lowers the priority of this process: of all threads that it has, whose own threads begin with theirs. */
export function giveWay(): void {
  if (process.platform !== 'linux') setPriority(NICENESS);
  else for (const thread of readdirSync(OWN_THREADS)) setPriority(Number(thread), NICENESS);
}
