import type { Logger } from '../log.js';
import type { StateError } from '../state/state-error.js';

/** Time to answer the clients that wait for the failed write, so that they learn of the failure. */
const LAST_ANSWERS_MS = 100;

/**
 * Handles a state that cannot be written any more: this process ends, as for any unexpected error, and its replacement opens
 * the state anew. This process could not do that itself: after a failed commit, LMDB may keep its lock, for which all
 * processes wait, until the process has ended.
 */
export function endOnBrokenState(logger: Logger): (error: StateError) => void {
  return (error) => {
    logger.error(
      { event: 'state-broken', reason: error.message },
      'the state can no longer be written; the process ends, and a new one must be started',
    );
    setTimeout(() => {
      throw error;
    }, LAST_ANSWERS_MS);
  };
}
