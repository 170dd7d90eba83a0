import { countyFipsOf, type Geoid, stateFipsOf, tractCodeOf, tractNumber } from '../core/geoid.js';
import { type Metric, metricIndex, metricsOf, type Section } from '../core/metrics.js';
import { stateByFips } from '../core/states.js';
import type { JoinedTracts } from './join.js';

/** A tract's name as the Census Bureau writes it: `Census Tract 1.01, Albany County, New York`. */
export function tractName(geoid: Geoid, countyName: string, synthetic: boolean): string {
  const kind = synthetic ? 'Synthetic Census Tract' : 'Census Tract';
  const state = stateByFips(stateFipsOf(geoid))?.name ?? '';
  const parts = [`${kind} ${tractNumber(tractCodeOf(geoid))}`, countyName, state];
  return parts.filter((part) => part !== '').join(', ');
}

/** A tract's full record (SPEC 2.2) as JSON text. What is unknown is null; a section without a row in its source, too. */
export function recordJson(joined: JoinedTracts, row: number, geoid: Geoid, name: string): string {
  const number = (metric: Metric): number | null => {
    const value = joined.values[metricIndex(metric.path)]?.[row] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  };
  const values = (metrics: readonly Metric[]): [string, number | null][] =>
    metrics.map((metric) => [metric.key, number(metric)]);
  const section = (name: Section, extra: [string, string | null][] = []): object | null =>
    joined.present.get(name)?.[row] === 1 ? Object.fromEntries([...values(metricsOf(name)), ...extra]) : null;

  return JSON.stringify({
    geoid,
    state_fips: stateFipsOf(geoid),
    county_fips: countyFipsOf(geoid),
    tract_code: tractCodeOf(geoid),
    name,
    ...Object.fromEntries(values(metricsOf('demographics'))),
    svi_themes: section('svi_themes'),
    places_measures: section('places_measures'),
    epa_data: section('epa_data', [['_source', joined.epaSource[row] ?? null]]),
    ...Object.fromEntries(values(metricsOf('sdoh_index'))),
  });
}
