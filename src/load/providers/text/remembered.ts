/** How many results are kept: a registry has more distinct texts, but few of them occur again and again. */
const MOST_TEXTS = 2 ** 14;

/**
 * Memoizes a pure function of a text; results are forgotten whenever too many have been kept. Cities, credentials and the
 * words of names are the same few in most of a registry's rows.
 */
export function remembered<T extends NonNullable<unknown> | null>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const earlier = known.get(text);
    if (earlier !== undefined) return earlier;
    if (known.size === MOST_TEXTS) known.clear();
    const result = work(text);
    known.set(text, result);
    return result;
  };
}
