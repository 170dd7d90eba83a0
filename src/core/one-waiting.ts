/**
 * Lets work that never rejects run one at a time, however often it is asked for: while one waits behind the one that runs,
 * whoever asks has what it will do.
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
