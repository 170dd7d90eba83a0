/**
 * Keeps a failing service from being asked over and over: closed while it answers, open after failures, tried now and
 * then.
 */
export interface Circuit {
  /** Whether the service may be asked now. While it is cooling down, one call per cool-down is let through to try it. */
  tryEnter(): boolean;
  succeeded(): void;
  /**
   * `restMs`: how long the service asked to be left alone; it is, whatever came before. Afterwards all may ask again,
   * until the next failure.
   */
  failed(restMs?: number): void;
  /** What is left of the rest that the service asked for; undefined where nothing is. */
  restMs(): number | undefined;
}

export interface CircuitOptions {
  /** Failures in a row after which the service is left alone. */
  readonly failureLimit: number;
  readonly coolDownMs: number;
  /** A clock that never goes back, milliseconds. */
  readonly now: () => number;
}

export function createCircuit({ failureLimit, coolDownMs, now }: CircuitOptions): Circuit {
  let failures = 0;
  let retryAtMs = 0;
  let restUntilMs = 0;
  return {
    tryEnter: () => {
      if (now() < restUntilMs) return false;
      if (failures < failureLimit) return true;
      if (now() < retryAtMs) return false;
      // Only the call that finds the cool-down over goes through; the others wait for what it brings.
      retryAtMs = now() + coolDownMs;
      return true;
    },
    succeeded: () => {
      failures = 0;
    },
    failed: (restMs) => {
      failures = restMs === undefined ? failures + 1 : failureLimit - 1;
      if (restMs !== undefined) restUntilMs = now() + restMs;
      if (failures >= failureLimit) retryAtMs = now() + coolDownMs;
    },
    restMs: () => (now() < restUntilMs ? restUntilMs - now() : undefined),
  };
}
