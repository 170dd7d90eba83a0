/** So many texts are remembered: a registry has more different ones, but few of them come again and again. */
const MOST_TEXTS = 2 ** 14;

/**
 * The same function of a text, which must depend on nothing else, asked once only for texts that come again soon. Cities,
 * credentials and the words of names are the same few in most of a registry's rows.
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
