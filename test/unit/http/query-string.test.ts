import { expect, test } from 'vitest';
import { parseQuery } from '../../../src/http/input/query-string.js';

const parse = (target: string): Record<string, unknown> => ({ ...parseQuery(target) });

test('percent-encoding and plus signs are decoded in names and values', () => {
  expect(parse('/p?a%62=%C3%B1&address=1+Main+St%2B')).toEqual({ ab: 'ñ', address: '1 Main St+' });
});

test('a parameter without a value is the empty text, and only the first equals sign divides', () => {
  expect(parse('/p?a&b=&c=1=2&&')).toEqual({ a: '', b: '', c: '1=2' });
});

test('a parameter that is given more than once is a list', () => {
  expect(parse('/p?a=1&a=2&a=3&b=4')).toEqual({ a: ['1', '2', '3'], b: '4' });
});

test('no query is no parameters', () => {
  expect(parse('/p')).toEqual({});
  expect(parse('/p?')).toEqual({});
});

test('names that objects have by inheritance are names like any other', () => {
  const parameters = parseQuery('/p?constructor=1&toString=2');
  expect(parameters.toString).toBe('2');
  expect(parameters.hasOwnProperty).toBeUndefined();
  const sly = parseQuery('/p?__proto__=1&__proto__=2');
  expect(Object.entries(sly)).toEqual([['__proto__', ['1', '2']]]);
  expect(sly.lat).toBeUndefined();
  expect('constructor' in parseQuery('/p?a=1')).toBe(false);
});

test.each([
  ['/p?a=%', { a: '%' }],
  ['/p?a=100%+Main+St%2C+5', { a: '100% Main St, 5' }],
  ['/p?%zz=1&b=2', { '%zz': '1', b: '2' }],
  ['/p?a=%ff', { a: '\ufffd' }],
  ['/p?a=%C3%28', { a: '\ufffd(' }],
])('what encodes nothing stays itself: %s', (target, expected) => {
  expect(Object.fromEntries(Object.entries(parseQuery(target)))).toEqual(expected);
});
