/**
 * A circuit breaker that protects a failing service: closed while the service answers, open after repeated failures, with a
 * trial call now and then.
 */
export interface Circuit {
  /** Whether a call would be refused now. */
  isOpen(): boolean;
  /** Whether the service may be called now. While the circuit is open, one trial call is let through per cool-down. */
  tryEnter(): boolean;
  succeeded(): void;
  /**
   * `restMs`: how long the service asked to be left alone, which is always respected. Afterwards all calls are let through
   * again, until the next failure. A rest of 0 is none: a service that fails with it again and again would never cool down.
   */
  failed(restMs?: number): void;
  /** How much is left of the rest that the service asked for; undefined if none is. */
  restMs(): number | undefined;
}

export interface CircuitOptions {
  /** The number of failures in a row that opens the circuit. */
  readonly failureLimit: number;
  readonly coolDownMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

export function createCircuit({ failureLimit, coolDownMs, now }: CircuitOptions): Circuit {
  let failures = 0;
  let retryAtMs = 0;
  let restUntilMs = 0;
  const isOpen = (): boolean => now() < restUntilMs || (failures >= failureLimit && now() < retryAtMs);
  return {
    isOpen,
    tryEnter: () => {
      if (isOpen()) return false;
      // Only the first call after the cool-down goes through; the others are refused until its outcome is known.
      if (failures >= failureLimit) retryAtMs = now() + coolDownMs;
      return true;
    },
    succeeded: () => {
      failures = 0;
    },
    failed: (restMs = 0) => {
      failures = restMs > 0 ? failureLimit - 1 : failures + 1;
      // Of calls that were under way together, none shortens what another was asked for.
      restUntilMs = Math.max(restUntilMs, now() + restMs);
      if (failures >= failureLimit) retryAtMs = now() + coolDownMs;
    },
    restMs: () => (now() < restUntilMs ? restUntilMs - now() : undefined),
  };
}
