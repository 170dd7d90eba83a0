import { coolDownMs, type DeliveryLimits } from './delivery-limits.js';
import type { Outcome } from './sender.js';
import type { PauseReason } from './webhook-admin.js';

/** What follows an attempt that failed: nothing is sent for so long, and the event is tried again or given up. */
export type AfterFailure =
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'give-up'; readonly afterMs: number; readonly pause: PauseReason | undefined };

/** How a subscription stands before the failure counts. */
export interface Standing {
  /** Failed attempts for this event before this one. */
  readonly failedAttempts: number;
  /** Events that were given up in a row before this one. */
  readonly failuresInARow: number;
  /** Dead letters that there are, once this event is given up. */
  readonly deadLetters: number;
}

type FailureLimits = Pick<DeliveryLimits, 'retryDelaysMs' | 'coolDownMs' | 'pauseAfterFailures' | 'deadLettersMax'>;

export function afterFailure(outcome: Outcome, standing: Standing, limits: FailureLimits): AfterFailure {
  const delayMs = isWorthRetrying(outcome) ? limits.retryDelaysMs[standing.failedAttempts] : undefined;
  if (delayMs !== undefined) return { kind: 'retry', afterMs: delayMs };
  const failuresInARow = standing.failuresInARow + 1;
  const pause = pauseReason({ ...standing, failuresInARow }, limits);
  return { kind: 'give-up', afterMs: coolDownMs(limits, failuresInARow), pause };
}

/** SPEC 6.3: a 5xx, no answer at all. Other answers would be the same again, and so would be a refusal of our own. */
function isWorthRetrying({ status, failure }: Outcome): boolean {
  return failure === 'status' ? (status ?? 0) >= 500 : failure !== 'refused' && failure !== 'secret';
}

function pauseReason(
  { failuresInARow, deadLetters }: Pick<Standing, 'failuresInARow' | 'deadLetters'>,
  limits: FailureLimits,
): PauseReason | undefined {
  if (failuresInARow >= limits.pauseAfterFailures) return 'failures';
  return deadLetters >= limits.deadLettersMax ? 'dead-letters' : undefined;
}
