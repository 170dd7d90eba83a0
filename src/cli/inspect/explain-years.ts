import { TREND_METRICS } from '../../core/metrics.js';
import type { TractsFile } from '../../format/tracts-file.js';

/** ACS products up to this year are published on 2010 tracts. */
const LAST_YEAR_ON_2010_TRACTS = 2019;

/**
 * Explains, one line per year, why a tract's trends lack loaded years: values that cannot be compared with the tract as it
 * is now are left out. Empty if no year is missing.
 */
export function explainMissingYears(tracts: TrendTracts, row: number): string[] {
  const state = tracts.description.states.find(
    ({ firstRow, tractCount }) => row >= firstRow && row < firstRow + tractCount,
  );
  if (!state) return [];
  return [...tracts.trendYears].flatMap((year, yearAt) => {
    if (hasYear(tracts, row, yearAt)) return [];
    const rows = Array.from({ length: state.tractCount }, (_, at) => state.firstRow + at);
    const elsewhere = rows.some((other) => hasYear(tracts, other, yearAt));
    return [`${year}: ${reasonFor(year, elsewhere, state.name)}`];
  });
}

export type TrendTracts = Pick<TractsFile, 'description' | 'trendYears' | 'trendValues'>;

function reasonFor(year: number, elsewhere: boolean, state: string): string {
  if (year > LAST_YEAR_ON_2010_TRACTS) {
    return elsewhere ? 'the source has no value for this tract' : `no ACS values of ${state} are loaded`;
  }
  return elsewhere
    ? 'published on 2010 tracts, and none of them is the same ground as this tract, which 2020 made or redrew'
    : `published on 2010 tracts, and nothing loaded leads from them to ${state}'s tracts (the relationship file does)`;
}

function hasYear({ trendYears, trendValues }: TrendTracts, row: number, yearAt: number): boolean {
  const width = TREND_METRICS.length;
  const first = (row * trendYears.length + yearAt) * width;
  return trendValues.subarray(first, first + width).some((value) => !Number.isNaN(value));
}
