import { describe, expect, it } from 'vitest';
import { findDifference } from '../../../bench/peers/difference.js';

describe('the difference of two answers', () => {
  it('is none within rounding, whatever the order of the keys', () => {
    expect(findDifference({ a: 1.04, b: ['x', null] }, { b: ['x', null], a: 1.1 })).toBeUndefined();
  });

  it.each([
    [{ a: { b: 3 } }, { a: { b: 4 } }, 'a.b is 3 and 4'],
    [{ a: 'x' }, { a: 'y' }, 'a is "x" and "y"'],
    [{ a: [1] }, { a: [1, 2] }, 'a.1 is undefined and 2'],
    [{ a: null }, { a: 0 }, 'a is null and 0'],
  ])('of %j and %j is named', (ours, theirs, difference) => {
    expect(findDifference(ours, theirs)).toBe(difference);
  });
});
