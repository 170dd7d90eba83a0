import { type LoadedSource, vintageOf } from '../core/loaded-source.js';
import { METRICS } from '../core/metrics.js';
import { stateByFips } from '../core/states.js';
import type { DatasetDescription, ProvenanceEntry } from '../format/description.js';

const SYNTHETIC = 'In this dataset: synthetic values, none of which was measured.';

/** Where the environmental values' name of their source comes from: the same files as they. */
const EPA_SOURCE_PATH = 'epa_data._source';

const INDEX_PATH = 'sdoh_index';
/** The part of the index that is a rank already when it is loaded. */
const INDEX_SVI_PATH = 'svi_themes.rpl_themes';

/** What of a dataset's description tells of its sources. */
export type DescribedSources = Pick<DatasetDescription, 'provenance' | 'states' | 'synthetic' | 'loadedSources'>;

/**
 * What a dataset's metrics come from, as sentences by path: each product and vintage with the day on which it was
 * fetched, where that is known, and the states that have it; the states for which ranks were taken within the state
 * instead of the nation. Metrics that no source fills are left out.
 */
export function describeSources({
  provenance,
  states,
  synthetic,
  loadedSources,
}: DescribedSources): ReadonlyMap<string, string> {
  const loaded = states.map(({ fips }) => fips);
  const notes = new Map<string, string>();
  for (const { path, section } of METRICS) {
    const entries = provenance.filter((entry) => entry.section === section && entry.metrics.includes(path));
    if (entries.length > 0) notes.set(path, describe(entries, loaded, synthetic, loadedSources));
  }
  const environmental = provenance.filter(({ section }) => section === 'epa_data');
  if (environmental.length > 0) notes.set(EPA_SOURCE_PATH, describe(environmental, loaded, synthetic, loadedSources));
  if (loaded.length > 0) notes.set(INDEX_PATH, describeIndex(provenance, loaded, synthetic));
  return notes;
}

/** The index has no source of its own, but its ranks depend on what is loaded. */
function describeIndex(provenance: readonly ProvenanceEntry[], loaded: readonly string[], synthetic: boolean): string {
  const among = loaded.length === 1 ? 'one state' : `${loaded.length} states`;
  const vulnerability = provenance.filter(({ metrics }) => metrics.includes(INDEX_SVI_PATH));
  return [
    ...(synthetic ? [SYNTHETIC] : []),
    `In this dataset: ranked among the tracts of ${among}.`,
    ...rankedWithinState(vulnerability, loaded, 'Its SVI part is ranked'),
  ].join(' ');
}

function describe(
  entries: readonly ProvenanceEntry[],
  loaded: readonly string[],
  synthetic: boolean,
  sources: readonly LoadedSource[],
): string {
  const statesOf = new Map<string, Set<string>>();
  for (const { source, label, tractVintage, stateFips } of entries) {
    const vintage = vintageOf(label);
    const fetched = sources.find((entry) => entry.source === source && entry.vintage === vintage)?.fetched ?? null;
    const product = [
      label,
      ...(tractVintage === 2020 ? [] : [`published on ${tractVintage} tracts`]),
      ...(fetched === null ? [] : [`fetched ${fetched}`]),
    ].join(', ');
    statesOf.set(product, (statesOf.get(product) ?? new Set()).add(stateFips));
  }
  const products = [...statesOf].map(([product, states]) => `${product} (${listStates([...states], loaded)})`);
  return [
    ...(synthetic ? [SYNTHETIC] : []),
    `In this dataset: ${products.join('; ')}.`,
    ...rankedWithinState(entries, loaded, 'Ranked'),
  ].join(' ');
}

/** The sentence that says so, where any of the entries is ranked within its state. */
function rankedWithinState(entries: readonly ProvenanceEntry[], loaded: readonly string[], what: string): string[] {
  const ranked = new Set(entries.filter(({ stateRanked }) => stateRanked).map(({ stateFips }) => stateFips));
  if (ranked.size === 0) return [];
  return [`${what} within the state, not the nation, for ${listStates([...ranked], loaded)}.`];
}

/** `CO, GA, NY`, in the order of FIPS codes, or that it is all of them. */
function listStates(fipsCodes: readonly string[], loaded: readonly string[]): string {
  if (loaded.length > 1 && loaded.every((fips) => fipsCodes.includes(fips))) return 'all loaded states';
  return [...fipsCodes]
    .sort()
    .map((fips) => stateByFips(fips)?.abbreviation ?? fips)
    .join(', ');
}
