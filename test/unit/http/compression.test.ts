import { expect, test } from 'vitest';
import { acceptsPlain, chooseEncoding } from '../../../src/http/sending/compression.js';

const LARGE = 1400;
const SMALL = 1399;

test.each([
  [undefined, LARGE, undefined],
  ['', LARGE, undefined],
  ['identity', LARGE, undefined],
  ['deflate', LARGE, undefined],
  ['gzip', LARGE, 'gzip'],
  ['x-gzip', LARGE, 'gzip'],
  ['GZIP', LARGE, 'gzip'],
  ['br', LARGE, 'br'],
  ['gzip, deflate, br', LARGE, 'br'],
  ['gzip;q=1, br;q=0.5', LARGE, 'gzip'],
  ['br;q=0, gzip', LARGE, 'gzip'],
  ['br;q=0, gzip;q=0', LARGE, undefined],
  ['*', LARGE, 'br'],
  ['*;q=0', LARGE, undefined],
  ['gzip, *;q=0', SMALL, 'gzip'],
  ['identity;q=1, gzip;q=0.5', LARGE, undefined],
  ['gzip, identity', LARGE, 'gzip'],
  ['gzip', SMALL, undefined],
  ['gzip, identity;q=0', SMALL, 'gzip'],
  ['gzip, identity;q=0', 0, undefined],
] as const)('Accept-Encoding %j gets %i bytes as %j', (accepted, size, expected) => {
  expect(chooseEncoding(accepted, size)).toBe(expected);
});

test.each([
  [undefined, true],
  ['br', true],
  ['gzip, identity;q=0.1', true],
  ['gzip, *;q=0.1', true],
  ['gzip, identity;q=0', false],
  ['gzip, *;q=0', false],
])('Accept-Encoding %j takes a body as it is: %s', (accepted, expected) => {
  expect(acceptsPlain(accepted)).toBe(expected);
});
