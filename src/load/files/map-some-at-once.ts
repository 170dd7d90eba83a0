/** How many items are in progress at a time, so that one file is read while another is awaited. More gain no time. */
const AT_ONCE = 4;

/**
 * Does the work on a few items at a time and returns the results in the items' order. If it fails, the error of the first
 * item that fails is thrown, as if they were processed one by one, once no other work is in progress.
 */
export async function mapSomeAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const entries = items.entries();
  const failures = new Map<number, unknown>();
  const workOn = async (): Promise<void> => {
    for (const [index, item] of entries) {
      // All items before the one that failed have been started.
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
