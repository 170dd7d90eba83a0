import { constants, getPriority, setPriority } from 'node:os';

/** Priorities of worker threads below that of requests, as nicenesses. */
const WORK_PRIORITIES = {
  /** Hardly noticed by requests. Makes next to no progress where other programs keep all cores busy. */
  lowest: constants.priority.PRIORITY_LOW,
  /** Makes progress there, too. */
  low: constants.priority.PRIORITY_BELOW_NORMAL,
} as const;
export type WorkPriority = keyof typeof WORK_PRIORITIES;

/**
 * Lowers the priority of this worker thread below that of requests; it cannot be raised again without privileges. Only on
 * Linux, where threads have priorities of their own; elsewhere this would slow the whole process down.
 */
export function giveWayToRequests(priority: WorkPriority): void {
  // The service itself may have been started with a priority that is lower still.
  if (process.platform === 'linux') setPriority(Math.max(getPriority(), WORK_PRIORITIES[priority]));
}
