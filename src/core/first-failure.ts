/**
 * Work that is done again and again, of whose failures in a row only the first is told: on a full disk, the log is all there
 * is left. Never rejects.
 */
export function tellingFirstFailure(work: () => Promise<void>, onError: (error: unknown) => void): () => Promise<void> {
  let failing = false;
  return async () => {
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) onError(error);
      failing = true;
    }
  };
}
