import { type Geoid, geoidFromNumber, stateFipsOf } from '../../core/geoid.js';
import { TREND_METRICS } from '../../core/metrics.js';
import type { Area } from '../../format/description.js';
import type { TractsFile } from '../../format/tracts-file.js';
import { CONNECTICUT, connecticutAreasOf } from '../../load/join/known-tracts.js';
import { FIRST_YEAR_OF_2020_TRACTS, type SourceId } from '../../load/source-id.js';

/** ACS products up to this year are published on Connecticut's counties, since then on its planning regions. */
const LAST_YEAR_OF_CONNECTICUT_COUNTIES = 2021;

/**
 * Explains, one line per year, why a tract's trends lack loaded years: values that cannot be compared with the tract as it
 * is now are left out. A dataset does not keep why a single value is missing; where several reasons fit, all are given.
 * Empty if no year is missing.
 */
export function explainMissingYears(tracts: TrendTracts, row: number): string[] {
  const { description, geoids, trendYears } = tracts;
  const state = areaOf(description.states, row);
  const county = areaOf(description.counties, row);
  if (!state || !county) return [];
  const geoid = geoidFromNumber(geoids[row] ?? Number.NaN);
  const loads = (source: SourceId): boolean => description.loadedSources.some((loaded) => loaded.source === source);
  return [...trendYears].flatMap((year, yearAt) => {
    if (hasYear(tracts, row, yearAt)) return [];
    const has = ({ firstRow, tractCount }: Rows): boolean =>
      Array.from({ length: tractCount }, (_, at) => firstRow + at).some((other) => hasYear(tracts, other, yearAt));
    if (has(county)) return [`${year}: ${whyNotThisTract(year)}`];
    if (has(state)) return [`${year}: no tract of ${county.name} has a value; ${whyNotThisTract(year)}`];
    return [`${year}: ${whyNotTheState(year, geoid, state.name, loads)}`];
  });
}

export type TrendTracts = Pick<TractsFile, 'description' | 'geoids' | 'trendYears' | 'trendValues'>;

type Rows = Pick<Area, 'firstRow' | 'tractCount'>;

function areaOf(areas: readonly Area[], row: number): Area | undefined {
  return areas.find(({ firstRow, tractCount }) => row >= firstRow && row < firstRow + tractCount);
}

function whyNotThisTract(year: number): string {
  return year >= FIRST_YEAR_OF_2020_TRACTS
    ? 'the loaded tables have no value for this tract'
    : 'published on 2010 tracts: either none of them covers the same land as this tract, or the loaded tables have no value for it';
}

function whyNotTheState(year: number, geoid: Geoid, state: string, loads: (source: SourceId) => boolean): string {
  const none = `no ACS values are loaded for ${state}`;
  const areas = stateFipsOf(geoid) === CONNECTICUT ? connecticutAreasOf(geoid) : undefined;
  const isMoved = areas === 'planning regions';
  if (year < FIRST_YEAR_OF_2020_TRACTS) {
    const crosswalk = isMoved ? ' and the crosswalk to planning regions' : '';
    const needed = `published on 2010 tracts, which are converted by the tract relationship file for ${state}${crosswalk}`;
    const loaded = loads('tract-relationship') && (!isMoved || loads('ct-crosswalk'));
    return loaded ? `${needed}: that, or the year's tables, are not loaded for ${state}` : `${needed}: not loaded`;
  }
  const published = year <= LAST_YEAR_OF_CONNECTICUT_COUNTIES ? 'counties' : 'planning regions';
  if (areas === undefined || areas === published) return none;
  if (!isMoved) {
    return `published on ${state}'s planning regions, but this dataset has its counties; load a newer gazetteer`;
  }
  return loads('ct-crosswalk')
    ? none
    : `published on ${state}'s counties; to convert them, load the crosswalk to its planning regions`;
}

function hasYear({ trendYears, trendValues }: TrendTracts, row: number, yearAt: number): boolean {
  const width = TREND_METRICS.length;
  const first = (row * trendYears.length + yearAt) * width;
  return trendValues.subarray(first, first + width).some((value) => !Number.isNaN(value));
}
