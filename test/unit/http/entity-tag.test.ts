import { expect, test } from 'vitest';
import { entityTag, matchTag } from '../../../src/http/entity-tag.js';

const TAG = entityTag('00ff');

test.each([
  [undefined, 'none'],
  ['', 'none'],
  ['W/"00ff"', 'named'],
  ['"00ff"', 'named'],
  ['"x", W/"00ff"', 'named'],
  ['"a,b",W/"00ff","c"', 'named'],
  ['W/"00fe"', 'none'],
  ['00ff', 'none'],
  ['*', 'any'],
  [' * ', 'any'],
  ['"*"', 'none'],
])('If-None-Match: %j is %s', (header, expected) => {
  expect(matchTag(header, TAG)).toBe(expected);
});
