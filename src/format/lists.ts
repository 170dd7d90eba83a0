/** Lists of numbers, stored one after the other. */
export interface Lists {
  /** Where each list begins in {@link values}; one more entry for the end. */
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/**
 * Distributes numbers over `count` lists, in which they keep their order. `forEach` passes each number and the list that it
 * belongs to; it is called twice, the first time to count them. O(lists + numbers).
 */
export function intoLists(count: number, forEach: (add: (list: number, value: number) => void) => void): Lists {
  const starts = new Uint32Array(count + 1);
  forEach((list) => {
    starts[list + 1] = (starts[list + 1] ?? 0) + 1;
  });
  for (let list = 0; list < count; list++) starts[list + 1] = (starts[list + 1] ?? 0) + (starts[list] ?? 0);
  const values = new Uint32Array(starts[count] ?? 0);
  const next = starts.slice();
  forEach((list, value) => {
    const at = next[list] ?? 0;
    values[at] = value;
    next[list] = at + 1;
  });
  return { starts, values };
}
