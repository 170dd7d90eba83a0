import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** All issued keys begin with it, so that scanners for leaked secrets recognize them. */
const KEY_PREFIX = 'tc_live_';

/** Bitcoin's base58 alphabet: without 0, O, I and l, which people confuse. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 32 digits of 58 values: 187 random bits. */
const RANDOM_LENGTH = 32;
/** 58^6 is more than the 2^32 values of a CRC-32. */
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = KEY_PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
/** Bytes from here on are skipped, so that all digits are equally likely: 4 × 58. */
const FAIR_BYTES = 232;

/** Makes a new key: `tc_live_`, 32 random base58 digits, and 6 checksum digits over all of that. */
export function makeKeyText(random: (sizeBytes: number) => Uint8Array = randomBytes): string {
  let body = KEY_PREFIX;
  while (body.length < KEY_PREFIX.length + RANDOM_LENGTH) {
    for (const byte of random(RANDOM_LENGTH)) {
      if (byte < FAIR_BYTES && body.length < KEY_PREFIX.length + RANDOM_LENGTH) body += ALPHABET[byte % 58];
    }
  }
  return body + checksumOf(body);
}

/** Whether a text can be an issued key, by its form and checksum. Rejects mistyped and made-up keys without a lookup. */
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
 * The CRC-32 of a text as base58 digits, most significant first. It only detects typing errors; the security of a key is in
 * its random digits.
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
