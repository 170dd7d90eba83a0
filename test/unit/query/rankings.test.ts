import { describe, expect, it } from 'vitest';
import { rankingsSchema } from '../../../src/http/schemas/comparisons.js';
import { createRankings } from '../../../src/query/rankings.js';
import { type MadeUpOptions, type MadeUpTract, madeUpTracts } from '../../support/made-up-tracts.js';

/** The answer about the tract of a row. */
function rankingsOf(tracts: readonly MadeUpTract[], row: number, options?: MadeUpOptions) {
  const write = createRankings(madeUpTracts(tracts, options));
  return rankingsSchema.parse(JSON.parse(Buffer.from(write(row)).toString()));
}

describe('rankings', () => {
  it('give the share of tracts strictly below, to one decimal, and null where the value is not known', () => {
    const tracts = [
      { geoid: '36001000100', values: { poverty_rate: 5 } },
      { geoid: '36001000200', values: { poverty_rate: 5 } },
      { geoid: '36003000100', values: { poverty_rate: 1 } },
    ];
    const answer = rankingsOf(tracts, 1);
    expect(answer).toMatchObject({
      geoid: '36001000200',
      name: 'Tract 36001000200',
      state_fips: '36',
      county_fips: '001',
    });
    expect(answer.rankings.find(({ metric }) => metric === 'poverty_rate')).toEqual({
      metric: 'poverty_rate',
      value: 5,
      county_percentile: 0,
      state_percentile: 33.3,
      national_percentile: 33.3,
    });
    expect(answer.rankings.find(({ metric }) => metric === 'median_age')).toEqual({
      metric: 'median_age',
      value: null,
      county_percentile: null,
      state_percentile: null,
      national_percentile: null,
    });
    expect(answer.averages.find(({ metric }) => metric === 'poverty_rate')).toEqual({
      metric: 'poverty_rate',
      tract_value: 5,
      county_avg: 5,
      state_avg: 3.6667,
      national_avg: 3.6667,
    });
  });

  it('are up to 100%: so many tracts are below the first of two thousand that the share rounds to it', () => {
    const tracts = madeUpTracts([{ geoid: '36001000100', values: { poverty_rate: 5 } }]);
    const write = createRankings({ ...tracts, ranks: tracts.ranks.map((rank) => (rank === 0 ? 1000 : rank)) });
    const answer = rankingsSchema.parse(JSON.parse(Buffer.from(write(0)).toString()));
    expect(answer.rankings.find(({ metric }) => metric === 'poverty_rate')?.national_percentile).toBe(100);
  });

  it('are not harmed by those of a tract whose summary is damaged', () => {
    const tracts = madeUpTracts([{ geoid: '36001000100' }, { geoid: '36001000200' }]);
    const distanceAt = Uint16Array.of(tracts.summaries.distanceAt[0] ?? 0, 3);
    const write = createRankings({ ...tracts, summaries: { ...tracts.summaries, distanceAt } });
    expect(() => write(1)).toThrow(RangeError);
    expect(Buffer.from(write(0))).toEqual(Buffer.from(createRankings(tracts)(0)));
  });

  it('are JSON whatever a tract is called', () => {
    const name = 'Tract "1", Doña \\ Ana County';
    expect(rankingsOf([{ geoid: '35013000100' }], 0, { name }).name).toBe(name);
  });
});
