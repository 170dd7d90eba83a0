import { vi } from 'vitest';

/** Far longer than any condition in the tests takes, even on a machine with ten times the work that it has cores for. */
export const WITHIN_MS = 60_000;

/** Waits until a check passes, and returns its result. Rejects with the check's last error if it never passes. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: WITHIN_MS });
}
