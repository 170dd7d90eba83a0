/** `a, b and c`. */
export function joinWithAnd(items: readonly string[]): string {
  return joinWith('and', items);
}

/** `a, b or c`. */
export function joinWithOr(items: readonly string[]): string {
  return joinWith('or', items);
}

function joinWith(word: 'and' | 'or', items: readonly string[]): string {
  if (items.length <= 1) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;
}
