import { expect, test } from 'vitest';
import { entityTag, matchTag, tagWord } from '../../../src/http/sending/entity-tag.js';

const TAG = 'W/"00ff"';

test.each([
  [undefined, 'none'],
  ['', 'none'],
  ['W/"00ff"', 'named'],
  ['"00ff"', 'named'],
  ['"x", W/"00ff"', 'named'],
  ['"a,b",W/"00ff","c"', 'named'],
  ['W/"00fe"', 'none'],
  ['W/"100ff"', 'none'],
  ['W/"00ff1"', 'none'],
  ['00ff', 'none'],
  ['*', 'any'],
  [' * ', 'any'],
  ['"*"', 'none'],
])('If-None-Match: %j is %s', (header, expected) => {
  expect(matchTag(header, TAG)).toBe(expected);
});

test('a list that fills the header costs no more than looking through it', () => {
  const header = ','.repeat(15_000);
  const beganAtMs = performance.now();
  for (let at = 0; at < 1_000; at++) matchTag(header, TAG);
  // A few milliseconds; splitting the list would take more than a second.
  expect(performance.now() - beganAtMs).toBeLessThan(400);
});

test('a tag is weak and has 128 bits in hexadecimal', () => {
  expect(entityTag(['generation', { lat: 38.9 }])).toMatch(/^W\/"[0-9a-f]{32}"$/);
});

test('a tag depends on its own data alone, whatever longer data was named before', () => {
  const first = entityTag(['first']);
  const other = entityTag([Array.from({ length: 300 }, (_, at) => at)]);
  expect(other).not.toBe(first);
  expect(entityTag(['first'])).toBe(first);
});

test('the words of a tag are its digits, eight by eight', () => {
  const tag = 'W/"0123456789abcdeffedcba98f0000009"';
  expect([0, 1, 2, 3].map((index) => tagWord(tag, index))).toEqual([0x01234567, 0x89abcdef, 0xfedcba98, 0xf0000009]);
});
