import { deferred } from '../core/deferred.js';

/** A time limit for an answer. */
export interface Deadline {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  /** Rejects when the time is up. */
  readonly passed: Promise<never>;
  /** Makes the deadline pass at once. */
  end(): void;
  /** Must be called when the answer has arrived. */
  cancel(): void;
}

/** Starts a deadline `timeoutMs` from now; `reason` makes the error that it rejects with. */
export function startDeadline(timeoutMs: number, reason: () => Error): Deadline {
  const controller = new AbortController();
  const { promise: passed, reject } = deferred<never>();
  const end = (): void => {
    controller.abort();
    reject(reason());
  };
  // Callers that race `passed` get the rejection; it must not count as unhandled if none does.
  passed.catch(() => {});
  // A pending deadline must not keep the process alive.
  const timer = setTimeout(end, timeoutMs).unref();
  return { signal: controller.signal, passed, end, cancel: () => clearTimeout(timer) };
}
