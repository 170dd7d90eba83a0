/**
 * Does work at intervals, except while the work before has not ended; it must never reject. Returns a function that ends
 * this and waits for work in progress.
 */
export function repeatedly(work: () => Promise<void>, intervalMs: number): () => Promise<void> {
  let working: Promise<void> | undefined;
  const timer = setInterval(() => {
    working ??= work().finally(() => {
      working = undefined;
    });
  }, intervalMs).unref();
  return async () => {
    clearInterval(timer);
    await working;
  };
}
