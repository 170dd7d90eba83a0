import type { Logger } from '../log.js';
import type { StateError } from '../state/state-error.js';

/** So that whoever waits for the write hears that it was not done. */
const LAST_ANSWERS_MS = 100;

/**
 * What to do where the state cannot be written any more: this process ends, as for any unexpected error, and what takes its
 * place opens the state anew. It could not do that itself: after a commit that failed LMDB may keep its lock, which all
 * processes wait for, until the process is gone.
 */
export function endOnBrokenState(logger: Logger): (error: StateError) => void {
  return (error) => {
    logger.error({ event: 'state-broken', reason: error.message }, 'the state cannot be written any more');
    setTimeout(() => {
      throw error;
    }, LAST_ANSWERS_MS);
  };
}
