import { createHash } from 'node:crypto';
import { writeDigest } from '../../core/plain-digest.js';

/** Offset of a tag's 32 hexadecimal digits. */
const TAG_DIGITS_AT = 3;
const DIGITS = 32;
/** Buffer for the next tag. Read in one go, the tag is a flat string, which Node's header check handles fastest. */
const next = Buffer.from(`W/"${'0'.repeat(DIGITS)}"`);

/** The entity tag of an answer that depends on this plain data alone. Weak, since it stands for a body in any encoding. */
export function entityTag(data: readonly unknown[]): string {
  writeDigest(data, next, TAG_DIGITS_AT);
  return next.toString('latin1');
}

/** The entity tag of a finished body, whatever that depends on. Weak for the same reason. */
export function bodyTag(body: Uint8Array): string {
  return `W/"${createHash('sha256').update(body).digest('hex').slice(0, DIGITS)}"`;
}

/** How an `If-None-Match` header matches a tag: it lists the tag, it is `*`, or neither. */
export type TagMatch = 'named' | 'any' | 'none';

/** Uses the weak comparison, as RFC 9110 (13.1.2) requires. */
export function matchTag(header: string | undefined, tag: string): TagMatch {
  if (header === undefined) return 'none';
  if (header.trim() === '*') return 'any';
  // No tag has quotes within it, so the text of this one, with its own, occurs only where the tag is listed. Splitting a list
  // of 16 KB would take longer than all else that is done for a request.
  return header.includes(opaque(tag)) ? 'named' : 'none';
}

/** A tag without its `W/` prefix. */
function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

const WORD_DIGITS = 8;
const [DIGIT_ZERO, DIGIT_TEN] = [0x30, 0x61];

/** One of the four 32-bit words of a tag's 128 bits. `parseInt` leaves compiled code for any radix but ten. */
export function tagWord(tag: string, index: number): number {
  const start = TAG_DIGITS_AT + index * WORD_DIGITS;
  let word = 0;
  for (let at = start; at < start + WORD_DIGITS; at++) {
    const code = tag.charCodeAt(at);
    word = (word << 4) | (code < DIGIT_TEN ? code - DIGIT_ZERO : code - DIGIT_TEN + 10);
  }
  return word >>> 0;
}
