import { STATES } from '../core/states.js';
import type { DatasetDescription, ProvenanceEntry } from '../format/description.js';
import { POPULATION } from '../format/surveyed-population.js';

/** A published product, and the range of its years that a tract's figures come from. */
export interface SourceFact {
  readonly product: string;
  readonly firstYear: number;
  readonly lastYear: number;
}

/** Common names of the products by the loader's source id, in the order in which a text names them. */
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['acs', 'Census Bureau American Community Survey'],
  ['cenpop', 'Census Bureau population count'],
  ['svi', 'CDC/ATSDR Social Vulnerability Index'],
  ['places', 'CDC PLACES'],
  ['ejscreen', 'EPA EJScreen'],
]);

/**
 * The products that a tract's figures come from, one entry per product.
 *
 * @param provenance - what the sources provide in the tract's state
 * @param metrics - those that the tract has
 * @param isSurveyed - whether its population is the survey's, where a state has some of the survey, some of the census
 */
export function sourceFacts(
  provenance: readonly ProvenanceEntry[],
  metrics: ReadonlySet<string>,
  isSurveyed: boolean,
): SourceFact[] {
  const givers = provenance.filter((entry) => entry.metrics.includes(POPULATION));
  const giver = givers.find(({ source }) => (source === 'acs') === isSurveyed) ?? givers[0];
  const provides = (entry: ProvenanceEntry): boolean =>
    entry.metrics.some((metric) => metrics.has(metric) && (metric !== POPULATION || entry.source === giver?.source));
  return [...PRODUCTS].flatMap(([source, product]) => {
    const years = provenance.filter((entry) => entry.source === source && provides(entry)).map(({ year }) => year);
    return years.length === 0 ? [] : [{ product, firstYear: Math.min(...years), lastYear: Math.max(...years) }];
  });
}

/** `CDC PLACES 2021–2023`. */
export function sourceText({ product, firstYear, lastYear }: SourceFact): string {
  return `${product} ${firstYear === lastYear ? lastYear : `${firstYear}–${lastYear}`}`;
}

/** Whether the dataset covers the 50 states and DC. */
export function isNationwide({ states }: DatasetDescription): boolean {
  const loaded = new Set(states.map(({ fips }) => fips));
  return STATES.every(({ fips, territory }) => territory || loaded.has(fips));
}

/** Whether the state's SVI ranks were computed within the state, as in the agency's single-state files. */
export function isSviRankedWithinState({ provenance }: DatasetDescription, stateFips: string): boolean {
  return provenance.some(
    (entry) => entry.section === 'svi_themes' && entry.stateFips === stateFips && entry.stateRanked,
  );
}

/**
 * The environmental metrics whose values come from several releases of EJScreen. Releases define indicators anew (in 2024,
 * traffic proximity became ten thousand times larger), so that values of two must not be compared. A state's values are all
 * of one.
 */
export function metricsOfSeveralReleases({ provenance }: DatasetDescription): ReadonlySet<string> {
  const releaseOf = new Map<string, number>();
  const several = new Set<string>();
  for (const { section, metrics, year } of provenance) {
    if (section !== 'epa_data') continue;
    for (const path of metrics) {
      if ((releaseOf.get(path) ?? year) !== year) several.add(path);
      releaseOf.set(path, year);
    }
  }
  return several;
}
