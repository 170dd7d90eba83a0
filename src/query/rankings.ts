import { countyFipsOf, geoidFromNumber, stateFipsOf } from '../core/geoid.js';
import { NO_RANK, type Scope } from '../format/tracts-file.js';
import { averageAround, COMPARED_COLUMNS, comparedValue, storedRank, type TractsWithAverages } from './areas.js';

/** Where a tract stands among others (SPEC 2.9): the percentage of them strictly below, one decimal; null is unknown. */
export interface Ranking {
  readonly metric: string;
  readonly value: number | null;
  readonly county_percentile: number | null;
  readonly state_percentile: number | null;
  readonly national_percentile: number | null;
}

/** A tract's value beside the plain means of the areas around it (SPEC 2.9), four decimals; null is unknown. */
export interface AverageRecord {
  readonly metric: string;
  readonly tract_value: number | null;
  readonly county_avg: number | null;
  readonly state_avg: number | null;
  readonly national_avg: number | null;
}

/** The body of a ranking (SPEC 4.6). */
export interface RankingsAnswer {
  readonly geoid: string;
  readonly name: string;
  readonly state_fips: string;
  readonly county_fips: string;
  readonly rankings: readonly Ranking[];
  readonly averages: readonly AverageRecord[];
}

/** The ranks and averages of the compared metrics for the tract of a row. */
export function rankings(tracts: TractsWithAverages, row: number): RankingsAnswer {
  const geoid = geoidFromNumber(tracts.geoids[row] ?? Number.NaN);
  const percentile = (scope: Scope, metricAt: number): number | null => {
    const tenths = storedRank(tracts, row, scope, metricAt);
    return tenths === NO_RANK ? null : tenths / 10;
  };
  return {
    geoid,
    name: tracts.names.text(row),
    state_fips: stateFipsOf(geoid),
    county_fips: countyFipsOf(geoid),
    rankings: COMPARED_COLUMNS.map(({ key }, metricAt) => ({
      metric: key,
      value: comparedValue(tracts, row, metricAt),
      county_percentile: percentile('county', metricAt),
      state_percentile: percentile('state', metricAt),
      national_percentile: percentile('national', metricAt),
    })),
    averages: COMPARED_COLUMNS.map(({ key }, metricAt) => ({
      metric: key,
      tract_value: comparedValue(tracts, row, metricAt),
      county_avg: averageAround(tracts, row, 'county', metricAt),
      state_avg: averageAround(tracts, row, 'state', metricAt),
      national_avg: averageAround(tracts, row, 'national', metricAt),
    })),
  };
}
