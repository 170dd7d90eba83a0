import { obtain } from './obtain.js';

/** Groups items by key. Groups are in the order of their first items. */
export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) obtain(groups, keyOf(item), () => []).push(item);
  return groups;
}
