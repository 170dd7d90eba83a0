import { systemCode } from '../core/system-code.js';

/** Whether there is a process of this number, of whomever. */
export function isRunning(pid: number): boolean {
  try {
    // Signal 0 is none: it only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}
