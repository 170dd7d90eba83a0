import { describe, expect, it } from 'vitest';
import { findDifference } from '../../../bench/peers/difference.js';

describe('the difference of two answers', () => {
  it('is none within rounding, whatever the order of the keys', () => {
    expect(findDifference({ a: 10_000, b: ['x', null] }, { b: ['x', null], a: 10_001 })).toBeUndefined();
    expect(findDifference({ rankings: [{ state_percentile: 0 }] }, { rankings: [{ state_percentile: 0.1 }] })).toBe(
      undefined,
    );
    expect(findDifference({ distance_miles: 0.12 }, { distance_miles: 0.13 })).toBeUndefined();
  });

  it.each([
    [{ a: { b: 3 } }, { a: { b: 4 } }, 'a.b is 3 and 4'],
    [{ sdoh_index: 0.26 }, { sdoh_index: 0.27 }, 'sdoh_index is 0.26 and 0.27'],
    [{ poverty_rate: 7.47 }, { poverty_rate: 7.5 }, 'poverty_rate is 7.47 and 7.5'],
    [{ state_percentile: 50 }, { state_percentile: 50.2 }, 'state_percentile is 50 and 50.2'],
    [{ a: 'x' }, { a: 'y' }, 'a is "x" and "y"'],
    [{ a: [1] }, { a: [1, 2] }, 'a.1 is undefined and 2'],
    [{ a: null }, { a: 0 }, 'a is null and 0'],
  ])('of %j and %j is named', (ours, theirs, difference) => {
    expect(findDifference(ours, theirs)).toBe(difference);
  });
});
