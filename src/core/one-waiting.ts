/**
 * Runs work, which must never reject, one at a time, and keeps at most one more run waiting: whoever asks meanwhile is
 * served by that one.
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
