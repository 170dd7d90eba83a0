/** How deliveries are paced, and when they are given up. */
export interface DeliveryLimits {
  /** Delays between the attempts for one event; there is one more attempt than there are delays. */
  readonly retryDelaysMs: readonly number[];
  /** How long a subscription rests after giving up its second event in a row; the rest doubles with each further one. */
  readonly coolDownMs: number;
  /** A subscription is paused after giving up this many events in a row. */
  readonly pauseAfterFailures: number;
  /** A subscription is paused at this many dead letters, so that none has to be dropped. */
  readonly deadLettersMax: number;
  /** How many finished events may be unstored: the most that one subscription receives twice after a crash. */
  readonly unsavedMax: number;
  /** Interval between writes of delivery progress. */
  readonly saveIntervalMs: number;
  /** How long a subscription is served before another one of the same host gets its turn. */
  readonly sliceMs: number;
  /**
   * How long a subscription is left alone after an unexpected error, or while its generations cannot be read; and the interval
   * between writes of progress while the disk is full.
   */
  readonly afterErrorMs: number;
  /** Subscriptions served concurrently: per host, and (`concurrent`) overall. */
  readonly concurrentPerHost: number;
  readonly concurrent: number;
}

/** The rest after this many events in a row were given up. */
export function coolDownMs(limits: Pick<DeliveryLimits, 'coolDownMs'>, failuresInARow: number): number {
  // A first failure may concern that event alone; a receiver that is gone is left alone for longer and longer.
  return failuresInARow < 2 ? 0 : limits.coolDownMs * 2 ** (failuresInARow - 2);
}

/** For an entire attempt: name resolution, connection, response (SPEC 6.3). */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** Retries as in SPEC 6.3. With these cool-downs, a subscription whose receiver is gone is paused after some 43 minutes. */
export const DELIVERY_LIMITS: DeliveryLimits = {
  retryDelaysMs: [1000, 2000],
  coolDownMs: 10_000,
  pauseAfterFailures: 10,
  deadLettersMax: 1000,
  unsavedMax: 100,
  saveIntervalMs: 50,
  sliceMs: 200,
  afterErrorMs: 5000,
  concurrentPerHost: 16,
  concurrent: 64,
};
