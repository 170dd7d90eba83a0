/** How deliveries are paced, and when they are given up. */
export interface DeliveryLimits {
  /** Between the attempts for one event; one more attempt than there are delays. */
  readonly retryDelaysMs: readonly number[];
  /** How long a subscription rests after its second event in a row was given up; twice as long after each further one. */
  readonly coolDownMs: number;
  /** Events given up in a row after which a subscription is paused. */
  readonly pauseAfterFailures: number;
  /** Dead letters with which a subscription is paused, so that none has to be thrown away. */
  readonly deadLettersMax: number;
  /** Events that may be ahead of what is stored: the most that one subscription gets twice after a crash. */
  readonly unsavedMax: number;
  /** Between two writes of what has been done. */
  readonly saveIntervalMs: number;
  /** How long a subscription is served before another one of its host has its turn. */
  readonly sliceMs: number;
  /** How long a subscription is left alone after an error that nobody expected, or where its generations cannot be read. */
  readonly afterErrorMs: number;
  /** Subscriptions that are served at the same time, of one host and in all. */
  readonly concurrentPerHost: number;
  readonly concurrent: number;
}

/** The rest after so many events in a row that were given up. */
export function coolDownMs(limits: Pick<DeliveryLimits, 'coolDownMs'>, failuresInARow: number): number {
  // The first one may be about that event alone; a receiver that is gone is left alone for longer and longer.
  return failuresInARow < 2 ? 0 : limits.coolDownMs * 2 ** (failuresInARow - 2);
}

/** Of an attempt in all: name, connection, answer (SPEC 6.3). */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** The contract's attempts (SPEC 6.3). With these cool-downs a receiver that is gone is paused after some 43 minutes. */
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
