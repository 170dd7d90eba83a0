import { constants, setPriority } from 'node:os';

/** Lets requests go before this worker thread. Linux knows priorities of threads; elsewhere this would slow the whole process down. */
export function giveWayToRequests(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}
