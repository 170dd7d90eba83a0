import { geoidFromNumber, stateFipsOf } from '../core/geoid.js';
import { knownOrNull } from '../core/known-or-null.js';
import { TREND_METRICS } from '../core/metrics.js';
import type { TractsFile } from './tracts-file.js';

/** The parts of the tracts' file that tell where a population comes from. */
type TractsWithSurveys = Pick<TractsFile, 'description' | 'geoids' | 'trendValues' | 'trendYears'>;

/** The path of the metric. */
export const POPULATION = 'total_population';

const POPULATION_AT = TREND_METRICS.findIndex(({ path }) => path === POPULATION);

/**
 * Whether the population in a tract's record comes from the survey (ACS), not from the census count: from the newest year
 * whose survey gives the population of the tract's state.
 */
export function hasSurveyedPopulation(tracts: TractsWithSurveys, row: number): boolean {
  const fips = stateFipsOf(geoidFromNumber(tracts.geoids[row] ?? Number.NaN));
  const surveys = tracts.description.provenance.filter(
    ({ stateFips, source, metrics }) => stateFips === fips && source === 'acs' && metrics.includes(POPULATION),
  );
  const yearAt = tracts.trendYears.indexOf(Math.max(...surveys.map(({ year }) => year)));
  if (yearAt < 0) return false;
  const first = (row * tracts.trendYears.length + yearAt) * TREND_METRICS.length;
  return knownOrNull(tracts.trendValues[first + POPULATION_AT]) !== null;
}
