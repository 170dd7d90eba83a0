import { writeDigest } from '../../core/plain-digest.js';

/** Where a tag's 32 hexadecimal digits begin. */
const TAG_DIGITS_AT = 3;
const DIGITS = 32;
/** The next tag is written here. Taken from it as a whole it is a text in one piece, as Node's check of headers wants it. */
const next = Buffer.from(`W/"${'0'.repeat(DIGITS)}"`);

/** The tag of an answer that depends on this plain data alone. Weak, since it names a body in any encoding. */
export function entityTag(data: readonly unknown[]): string {
  writeDigest(data, next, TAG_DIGITS_AT);
  return next.toString('latin1');
}

/** What an `If-None-Match` says of a tag: it names the very one, any representation at all, or neither. */
export type TagMatch = 'named' | 'any' | 'none';

/** Compares weakly, as RFC 9110 (13.1.2) asks for. */
export function matchTag(header: string | undefined, tag: string): TagMatch {
  if (header === undefined) return 'none';
  if (header.trim() === '*') return 'any';
  // Tags of this service hold no commas; what is split inside a foreign one matches nothing.
  return header.split(',').some((listed) => opaque(listed.trim()) === opaque(tag)) ? 'named' : 'none';
}

/** A tag without its weakness. */
function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

const WORD_DIGITS = 8;
const [DIGIT_ZERO, DIGIT_TEN] = [0x30, 0x61];

/** One of four numbers of 32 bits that a tag's 128 are. `parseInt` would leave compiled code for any radix but ten. */
export function tagWord(tag: string, index: number): number {
  const start = TAG_DIGITS_AT + index * WORD_DIGITS;
  let word = 0;
  for (let at = start; at < start + WORD_DIGITS; at++) {
    const code = tag.charCodeAt(at);
    word = (word << 4) | (code < DIGIT_TEN ? code - DIGIT_ZERO : code - DIGIT_TEN + 10);
  }
  return word >>> 0;
}
