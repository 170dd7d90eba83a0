/** Keeps a failing provider from being asked over and over. */
export interface Circuit {
  /** Whether the provider may be asked now. While it is cooling down, one call per cool-down is let through to try it. */
  tryEnter(): boolean;
  succeeded(): void;
  failed(): void;
}

export interface CircuitOptions {
  /** Failures in a row after which the provider is left alone. */
  readonly failureLimit: number;
  readonly coolDownMs: number;
  /** A clock that never goes back, milliseconds. */
  readonly now: () => number;
}

export function createCircuit({ failureLimit, coolDownMs, now }: CircuitOptions): Circuit {
  let failures = 0;
  let retryAtMs = 0;
  return {
    tryEnter: () => {
      if (failures < failureLimit) return true;
      if (now() < retryAtMs) return false;
      // Only the call that finds the cool-down over goes through; the others wait for what it brings.
      retryAtMs = now() + coolDownMs;
      return true;
    },
    succeeded: () => {
      failures = 0;
    },
    failed: () => {
      failures++;
      if (failures >= failureLimit) retryAtMs = now() + coolDownMs;
    },
  };
}
