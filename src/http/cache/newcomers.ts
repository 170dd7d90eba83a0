import { tagWord } from '../sending/entity-tag.js';

/**
 * Distinguishes repeated requests from one-time requests, which would otherwise evict all others from a full cache. Caching
 * their answers would also cost more than the queries themselves, since a cached answer is a copy that survives the first
 * garbage collection. The idea is TinyLFU's doorkeeper (Einziger, Friedman, Manes: ACM TOS 2017).
 */
export interface Newcomers {
  /** Whether a request with this entity tag came recently. Remembers the tag. O(1). */
  cameBefore(tag: string): boolean;
}

/** Remembers about `count` tags, in four bytes each. A new tag is mistaken for a known one once in 4,000 million times. */
export function createNewcomers(count: number): Newcomers {
  const marks = new Int32Array(Math.max(1, count));
  return {
    cameBefore: (tag) => {
      const place = tagWord(tag, 0) % marks.length;
      // Zero marks an empty place.
      const mark = tagWord(tag, 1) | 0 || 1;
      const known = marks[place] === mark;
      marks[place] = mark;
      return known;
    },
  };
}
