import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import koffi from 'koffi';

/** Linux: a thread that runs only where nothing else wants to, and makes room at once for what does. */
const SCHED_IDLE = 5;
const OWN_THREADS = '/proc/self/task';

/**
 * Lets this process run on what others leave of the processor, as if it were another machine; beyond Linux, less
 * strictly.
 */
export function runInBackground(): void {
  setPriority(constants.priority.PRIORITY_LOW);
  if (process.platform !== 'linux') return;
  const schedule = koffi.load(null).func('int sched_setscheduler(int tid, int policy, const void *parameters)');
  // Priority 0 is all that the policy has.
  const parameters = Buffer.alloc(4);
  for (const tid of readdirSync(OWN_THREADS)) schedule(Number(tid), SCHED_IDLE, parameters);
}
