import type { Failed } from '../attempt.js';
import type { PauseReason } from '../delivery-records.js';
import { coolDownMs, type DeliveryLimits } from './delivery-limits.js';

/** What follows a failed attempt: nothing is sent for `afterMs`, and the event is retried or given up. */
export type AfterFailure =
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'give-up'; readonly afterMs: number; readonly pause: PauseReason | undefined };

/** A subscription's counts before the failure is added. */
export interface Standing {
  /** Failed attempts for this event before this one. */
  readonly failedAttempts: number;
  /** Events given up in a row before this one. */
  readonly failuresInARow: number;
  /** The number of dead letters once this event is one, too; undefined for a replay, which is one already. */
  readonly deadLetters: number | undefined;
}

type FailureLimits = Pick<DeliveryLimits, 'retryDelaysMs' | 'coolDownMs' | 'pauseAfterFailures' | 'deadLettersMax'>;

/** Decides what follows a failed attempt. */
export function afterFailure(outcome: Failed, standing: Standing, limits: FailureLimits): AfterFailure {
  const delayMs = isWorthRetrying(outcome) ? limits.retryDelaysMs[standing.failedAttempts] : undefined;
  if (delayMs !== undefined) return { kind: 'retry', afterMs: delayMs };
  const failuresInARow = standing.failuresInARow + 1;
  const pause = pauseReason({ ...standing, failuresInARow }, limits);
  return { kind: 'give-up', afterMs: coolDownMs(limits, failuresInARow), pause };
}

/** SPEC 6.3: retries a 5xx or no response at all. Other responses would only recur, and so would a refusal of our own. */
function isWorthRetrying({ status, failure }: Failed): boolean {
  return status === null ? failure !== 'refused' && failure !== 'secret' : status >= 500;
}

function pauseReason(
  { failuresInARow, deadLetters }: Pick<Standing, 'failuresInARow' | 'deadLetters'>,
  limits: FailureLimits,
): PauseReason | undefined {
  if (failuresInARow >= limits.pauseAfterFailures) return 'failures';
  return deadLetters !== undefined && deadLetters >= limits.deadLettersMax ? 'dead-letters' : undefined;
}
