/** The moment until which somebody waits for an answer. */
export interface Deadline {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  /** Rejects when the time is up. */
  readonly passed: Promise<never>;
  /** Ends the time at once. */
  end(): void;
  /** Must be called when the answer is there. */
  cancel(): void;
}

/** A deadline so many milliseconds from now; `reason` makes the error that it rejects with. */
export function startDeadline(timeoutMs: number, reason: () => Error): Deadline {
  const controller = new AbortController();
  let end = (): void => {};
  const passed = new Promise<never>((_, reject) => {
    end = () => {
      controller.abort();
      reject(reason());
    };
  });
  // Whoever races it hears of it; nobody has to.
  passed.catch(() => {});
  // That there is a deadline is no reason for the process to go on: it may end before.
  const timer = setTimeout(end, timeoutMs).unref();
  return { signal: controller.signal, passed, end, cancel: () => clearTimeout(timer) };
}
