/** How long a value is reused: there is no limit on how often anybody may ask for /metrics. */
const FRESH_MS = 1000;

/** Computes a value anew once it is a second old. `elapsedMs` is a monotonic clock. */
export function reused<T>(make: () => T, elapsedMs: () => number): () => T {
  let made: { readonly value: T; readonly untilMs: number } | undefined;
  return () => {
    if (!made || elapsedMs() >= made.untilMs) made = { value: make(), untilMs: elapsedMs() + FRESH_MS };
    return made.value;
  };
}
