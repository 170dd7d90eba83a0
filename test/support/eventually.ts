import { vi } from 'vitest';

/** Far beyond what anything here takes, on a machine that others keep busy, too. */
const WITHIN_MS = 20_000;

/** Waits until a check passes, and gives what it gave. Throws what it threw last, where it never does. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: WITHIN_MS });
}
