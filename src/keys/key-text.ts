import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Keys that the service issues begin with it, so that scanners for leaked secrets know them. */
const KEY_PREFIX = 'tc_live_';

/** Base58 as Bitcoin has it: without 0, O, I and l, which people mistake for one another. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 32 digits of 58 values: 187 random bits. */
const RANDOM_LENGTH = 32;
/** 58^6 is more than the 2^32 values of a CRC-32. */
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = KEY_PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
/** The most that a byte can be for all digits to be equally likely: 4 × 58. */
const FAIR_BYTES = 232;

/** A new key: `tc_live_`, 32 random base58 digits, and 6 that check all that comes before them. */
export function makeKeyText(random: (sizeBytes: number) => Uint8Array = randomBytes): string {
  let body = KEY_PREFIX;
  while (body.length < KEY_PREFIX.length + RANDOM_LENGTH) {
    for (const byte of random(RANDOM_LENGTH)) {
      if (byte < FAIR_BYTES && body.length < KEY_PREFIX.length + RANDOM_LENGTH) body += ALPHABET[byte % 58];
    }
  }
  return body + checksumOf(body);
}

/**
 * Whether a text can be a key that was issued: form and checksum are right. A mistyped or made-up one is told by that
 * alone.
 */
export function isKeyText(text: string): boolean {
  if (text.length !== KEY_LENGTH || !text.startsWith(KEY_PREFIX)) return false;
  let rest = crc32(text.slice(0, -CHECKSUM_LENGTH));
  for (let at = KEY_LENGTH - 1; at >= KEY_LENGTH - CHECKSUM_LENGTH; at--) {
    if (text.charCodeAt(at) !== ALPHABET.charCodeAt(rest % 58)) return false;
    rest = Math.floor(rest / 58);
  }
  return true;
}

/**
 * The CRC-32 of a text as base58 digits, the greatest first. It finds mistakes; what keeps keys secret is their
 * randomness.
 */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let at = 0; at < CHECKSUM_LENGTH; at++) {
    digits = ALPHABET.charAt(rest % 58) + digits;
    rest = Math.floor(rest / 58);
  }
  return digits;
}
