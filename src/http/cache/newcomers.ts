import { tagWord } from '../sending/entity-tag.js';

/**
 * Tells what is asked for again from what is asked for once. Requests that never come again would otherwise push all others
 * out of a full cache, and cost it more than they cost the query: keeping an answer means a copy that outlives the garbage
 * collector's first look. The idea is TinyLFU's doorkeeper (Einziger, Friedman, Manes: ACM TOS 2017).
 */
export interface Newcomers {
  /** Whether this was here lately, by its entity tag; from now on it was. O(1). */
  cameBefore(tag: string): boolean;
}

/** Remembers about so many, in four bytes each. A stranger is taken for one of them once in four thousand million times. */
export function createNewcomers(count: number): Newcomers {
  const marks = new Int32Array(Math.max(1, count));
  return {
    cameBefore: (tag) => {
      const place = tagWord(tag, 0) % marks.length;
      // Zero is for nobody.
      const mark = tagWord(tag, 1) | 0 || 1;
      const known = marks[place] === mark;
      marks[place] = mark;
      return known;
    },
  };
}
