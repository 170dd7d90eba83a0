import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of this worker thread below that of requests. Only on Linux, where threads have priorities of their
 * own; elsewhere this would slow the whole process down.
 */
export function giveWayToRequests(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}
