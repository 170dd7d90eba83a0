import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import koffi from 'koffi';

/** Linux: the scheduling policy of threads that run only on an otherwise idle processor, and are preempted at once. */
const SCHED_IDLE = 5;
const OWN_THREADS = '/proc/self/task';

/**
 * Restricts this process to processor time that no other process wants, as if it ran on another machine. Outside Linux it
 * merely gets the lowest priority.
 */
export function runInBackground(): void {
  setPriority(constants.priority.PRIORITY_LOW);
  if (process.platform !== 'linux') return;
  const schedule = koffi.load(null).func('int sched_setscheduler(int tid, int policy, const void *parameters)');
  // SCHED_IDLE accepts only priority 0.
  const parameters = Buffer.alloc(4);
  for (const tid of readdirSync(OWN_THREADS)) schedule(Number(tid), SCHED_IDLE, parameters);
}
