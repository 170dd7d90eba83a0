/**
 * Tells what is asked for again from what is asked for once. Requests that never come again would otherwise push all others
 * out of a full cache, and cost it more than they cost the query: keeping an answer means a copy that outlives the garbage
 * collector's first look. The idea is TinyLFU's doorkeeper (Einziger, Friedman, Manes: ACM TOS 2017).
 */
export interface Newcomers {
  /** Whether this was here lately, by its digest in hexadecimal; from now on it was. O(1). */
  cameBefore(digest: string): boolean;
}

/** Remembers about so many, in four bytes each. A stranger is taken for one of them once in four thousand million times. */
export function createNewcomers(count: number): Newcomers {
  const marks = new Int32Array(Math.max(1, count));
  return {
    cameBefore: (digest) => {
      const place = wordOf(digest, 0) % marks.length;
      // Zero is for nobody.
      const mark = wordOf(digest, WORD_DIGITS) | 0 || 1;
      const known = marks[place] === mark;
      marks[place] = mark;
      return known;
    },
  };
}

const WORD_DIGITS = 8;

/** 32 bits of a digest; 0 where it has no such digits. */
function wordOf(digest: string, start: number): number {
  return Number.parseInt(digest.slice(start, start + WORD_DIGITS), 16) || 0;
}
