import { type Geoid, geoidFromNumber, stateFipsOf } from '../../core/geoid.js';
import { TREND_METRICS } from '../../core/metrics.js';
import type { TractsFile } from '../../format/tracts-file.js';
import { CONNECTICUT, connecticutAreasOf } from '../../load/known-tracts.js';

/** ACS products up to this year are published on 2010 tracts. */
const LAST_YEAR_ON_2010_TRACTS = 2019;
/** And up to this year on Connecticut's counties, since then on its planning regions. */
const LAST_YEAR_OF_CONNECTICUT_COUNTIES = 2021;

/**
 * Explains, one line per year, why a tract's trends lack loaded years: values that cannot be compared with the tract as it
 * is now are left out. Empty if no year is missing.
 */
export function explainMissingYears(tracts: TrendTracts, row: number): string[] {
  const state = tracts.description.states.find(
    ({ firstRow, tractCount }) => row >= firstRow && row < firstRow + tractCount,
  );
  if (!state) return [];
  const geoid = geoidFromNumber(tracts.geoids[row] ?? Number.NaN);
  return [...tracts.trendYears].flatMap((year, yearAt) => {
    if (hasYear(tracts, row, yearAt)) return [];
    const rows = Array.from({ length: state.tractCount }, (_, at) => state.firstRow + at);
    const elsewhere = rows.some((other) => hasYear(tracts, other, yearAt));
    return [`${year}: ${elsewhere ? whyNotThisTract(year) : whyNotTheState(year, geoid, state.name)}`];
  });
}

export type TrendTracts = Pick<TractsFile, 'description' | 'geoids' | 'trendYears' | 'trendValues'>;

function whyNotThisTract(year: number): string {
  return year > LAST_YEAR_ON_2010_TRACTS
    ? 'the source has no value for this tract'
    : 'published on 2010 tracts, none of which covers the same land: this tract was created or redrawn in 2020';
}

function whyNotTheState(year: number, geoid: Geoid, state: string): string {
  const areas = stateFipsOf(geoid) === CONNECTICUT ? connecticutAreasOf(geoid) : undefined;
  if (year <= LAST_YEAR_ON_2010_TRACTS) {
    const crosswalk = areas === 'planning regions' ? ' and the crosswalk to planning regions' : '';
    return `published on 2010 tracts; to convert them, load the tract relationship file for ${state}${crosswalk}`;
  }
  const published = year <= LAST_YEAR_OF_CONNECTICUT_COUNTIES ? 'counties' : 'planning regions';
  if (areas === undefined || areas === published) return `no ACS values are loaded for ${state}`;
  return areas === 'planning regions'
    ? `published on ${state}'s counties; to convert them, load the crosswalk to its planning regions`
    : `published on ${state}'s planning regions, but this dataset has its counties; load a newer gazetteer`;
}

function hasYear({ trendYears, trendValues }: TrendTracts, row: number, yearAt: number): boolean {
  const width = TREND_METRICS.length;
  const first = (row * trendYears.length + yearAt) * width;
  return trendValues.subarray(first, first + width).some((value) => !Number.isNaN(value));
}
