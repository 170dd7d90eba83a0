import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeDigest } from '../../src/core/plain-digest.js';

function digestOf(...data: unknown[]): string {
  const digits = Buffer.alloc(32);
  writeDigest(data, digits, 0);
  return digits.toString('latin1');
}

/** Values close to each other, since it is these that a weak hash confuses. */
const close = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(0, 1, -1, 2 ** -1074, 2 ** 31, 2 ** 32, '', '0', 'a', 'b', 'ab', 'ba', true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

test('data is named the same if and only if its JSON is the same', () => {
  const property = fc.property(close, close, (one, other) => {
    expect(digestOf(one) === digestOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    expect(digestOf(structuredClone(one))).toBe(digestOf(one));
  });
  fc.assert(property, { numRuns: 1000 });
});

test.each<[string, unknown[], unknown[]]>([
  ['where a list begins', [[1, []]], [[[1]]]],
  ['where a list ends', [[[1], 2]], [[[1, 2]]]],
  ['where fields begin', [['a', 1, {}]], [[{ a: 1 }]]],
  ['where fields end', [[{ a: 1 }, 'b', 2]], [[{ a: 1, b: 2 }]]],
  ['where a text ends', ['ab', 'c'], ['a', 'bc']],
  ['a text of a number', ['1'], [1]],
  ['what is null', [null], [false]],
  ['the order of two', [1, 2], [2, 1]],
  ['the sign of both', [38.9, 77], [-38.9, -77]],
  ['characters of two bytes', ['\u0100'], ['\u0001']],
])('it tells %s', (_, one, other) => {
  expect(digestOf(...one)).not.toBe(digestOf(...other));
});

test('a field that is undefined is absent', () => {
  expect(digestOf({ a: undefined, b: 1 })).toBe(digestOf({ b: 1 }));
});

test('a text of any length is read to its end', () => {
  const long = 'x'.repeat(100_000);
  expect(digestOf(`${long}a`)).not.toBe(digestOf(`${long}b`));
  expect(digestOf(`${long}a`)).toBe(digestOf(`${long}a`));
});

test.each<[unknown]>([
  [1n],
  [undefined],
  [Symbol.iterator],
  [() => 1],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [new Date(0)],
  [new Map([[1, 2]])],
  [new Set([1])],
  [new Uint8Array(1)],
  [new (class Point {})()],
])('%s is no plain data, be it inside other data', (value) => {
  expect(() => digestOf(value)).toThrow(TypeError);
  if (value !== undefined) expect(() => digestOf({ list: [value] })).toThrow(TypeError);
});

test('fields without a prototype are the same data as those with one', () => {
  expect(digestOf(Object.assign(Object.create(null), { a: 1 }))).toBe(digestOf({ a: 1 }));
});

test('no two of 160,000 points of a grid have the same name, nor the same first or last 64 bits', () => {
  const seen = new Set<string>();
  for (let row = 0; row < 400; row++) {
    for (let column = 0; column < 400; column++) {
      const digest = digestOf({ lat: row * 0.125 - 25, lng: column * 0.125 - 25 });
      seen.add(digest.slice(0, 16)).add(digest.slice(16));
    }
  }
  expect(seen.size).toBe(320_000);
});

test('each bit of a number changes about half of the name’s', () => {
  const bits = new DataView(new ArrayBuffer(8));
  const nameOf = (value: bigint): bigint => {
    bits.setBigUint64(0, value);
    return BigInt(`0x${digestOf({ lat: bits.getFloat64(0), lng: -77 })}`);
  };
  const start = 0x4043_7333_3333_3333n;
  for (let bit = 0n; bit < 63n; bit++) {
    const changed = (nameOf(start) ^ nameOf(start ^ (1n << bit))).toString(2).replaceAll('0', '').length;
    expect(changed).toBeGreaterThan(32);
    expect(changed).toBeLessThan(96);
  }
});
