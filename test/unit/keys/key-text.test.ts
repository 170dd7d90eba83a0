import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isKeyText, makeKeyText } from '../../../src/keys/key-text.js';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Any random source, even one that repeats a byte for ever, as long as some byte can be used. */
const keyTexts = fc
  .uint8Array({ minLength: 64, maxLength: 64 })
  .filter((bytes) => bytes.some((byte) => byte < 232))
  .map((bytes) => makeKeyText((sizeBytes) => bytes.subarray(0, sizeBytes).map((byte, at) => byte ^ (at % 7))));

test('every key that is made has the documented form and passes its own check', () => {
  fc.assert(
    fc.property(keyTexts, (key) => {
      expect(key).toMatch(/^tc_live_[1-9A-HJ-NP-Za-km-z]+$/);
      expect(key).toHaveLength(46);
      expect(isKeyText(key)).toBe(true);
    }),
  );
});

test('a key with any one character replaced, dropped or doubled is no key', () => {
  fc.assert(
    fc.property(keyTexts, fc.nat({ max: 45 }), fc.constantFrom(...BASE58, '0', 'O', '_', ' '), (key, at, other) => {
      const [head, tail] = [key.slice(0, at), key.slice(at + 1)];
      if (other !== key[at]) expect(isKeyText(head + other + tail)).toBe(false);
      expect(isKeyText(head + tail)).toBe(false);
      expect(isKeyText(head + other + key.slice(at))).toBe(false);
    }),
  );
});

test('a key with two neighbours swapped is no key', () => {
  fc.assert(
    fc.property(keyTexts, fc.nat({ max: 44 }), (key, at) => {
      const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
      expect(isKeyText(swapped)).toBe(swapped === key);
    }),
  );
});

/** A text with the checksum that a key with this body has. */
const withChecksum = (body: string): string => {
  let [rest, digits] = [crc32(body), ''];
  while (digits.length < 6) [rest, digits] = [Math.floor(rest / 58), BASE58.charAt(rest % 58) + digits];
  return body + digits;
};

test('a text of another form is no key, though its checksum is right', () => {
  fc.assert(
    fc.property(keyTexts, (key) => {
      const body = key.slice(0, 40);
      expect(withChecksum(body)).toBe(key);
      expect(isKeyText(withChecksum(body.replace('live', 'test')))).toBe(false);
      expect(isKeyText(` ${withChecksum(body.slice(1))}`)).toBe(false);
    }),
  );
});

test('a text that was made up is no key, however much it looks like one', () => {
  const bodies = fc.uint8Array({ min: 0, max: 57, minLength: 38, maxLength: 38 });
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => !isKeyText(text)));
  fc.assert(
    fc.property(bodies, (digits) => !isKeyText(`tc_live_${Array.from(digits, (digit) => BASE58[digit]).join('')}`)),
  );
});

test('keys are never the same twice, and use all 58 digits alike', () => {
  const keys = Array.from({ length: 2000 }, () => makeKeyText());
  expect(new Set(keys).size).toBe(keys.length);
  const counts = new Map<string, number>();
  for (const key of keys) for (const digit of key.slice(8, 40)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  expect(counts.size).toBe(58);
  // 64,000 draws, 1,103 a digit: ten standard deviations to either side.
  for (const count of counts.values()) expect(Math.abs(count - 64_000 / 58)).toBeLessThan(332);
});

test('a byte that would make some digits likelier is drawn again', () => {
  const draws = [232, 255, 0];
  expect(makeKeyText((sizeBytes) => new Uint8Array(sizeBytes).fill(draws.shift() ?? 0))).toBe(
    makeKeyText((sizeBytes) => new Uint8Array(sizeBytes)),
  );
  expect(draws).toEqual([]);
});

test('the key of a fixed random source is the one that was issued before', () => {
  expect(makeKeyText((sizeBytes) => new Uint8Array(sizeBytes))).toBe(`tc_live_${'1'.repeat(32)}1SBrfe`);
});
