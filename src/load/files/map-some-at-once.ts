/** While one file is waited for, others are read: with more at once than this, no time is won any more. */
const AT_ONCE = 4;

/**
 * Does the work on a few items at a time, and gives what comes of them in their order. Where it fails, the error of the
 * first item that fails is thrown, as if they had been worked on one by one, and nothing is going on any more.
 */
export async function mapSomeAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const entries = items.entries();
  const failures = new Map<number, unknown>();
  const workOn = async (): Promise<void> => {
    for (const [index, item] of entries) {
      // Items before the one that failed have all been begun.
      if (failures.size > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.set(index, error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOn));
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
  return results;
}
