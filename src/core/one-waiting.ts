/**
 * Runs `work`, which must never reject, one run at a time, with at most one more run waiting: calls made while a run
 * waits are served by that run.
 */
export function oneWaiting(work: () => Promise<void>): () => void {
  let last = Promise.resolve();
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    last = last.then(() => {
      waits = false;
      return work();
    });
  };
}
