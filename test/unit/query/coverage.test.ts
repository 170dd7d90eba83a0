import { describe, expect, it } from 'vitest';
import { coverage } from '../../../src/query/coverage.js';
import { madeUpTracts } from '../../support/made-up-tracts.js';

const file = madeUpTracts(['10001000100', '10001000200', '11001000100', '51001000100'].map((geoid) => ({ geoid })));

describe('coverage', () => {
  it('lists the loaded states by FIPS code with their numbers of tracts', () => {
    expect(coverage(file, { offset: 0, limit: 60 })).toEqual({
      total_states: 3,
      total_tracts: 4,
      offset: 0,
      limit: 60,
      states: [
        { state_fips: '10', tract_count: 2 },
        { state_fips: '11', tract_count: 1 },
        { state_fips: '51', tract_count: 1 },
      ],
    });
  });

  it('keeps its totals on every page, and ends with an empty one', () => {
    expect(coverage(file, { offset: 2, limit: 1 })).toMatchObject({
      total_states: 3,
      total_tracts: 4,
      states: [{ state_fips: '51', tract_count: 1 }],
    });
    expect(coverage(file, { offset: 3, limit: 1 })).toMatchObject({ total_states: 3, states: [] });
  });
});
