import { type LoadedSource, vintageOf } from '../core/loaded-source.js';
import { METRICS } from '../core/metrics.js';
import { obtain } from '../core/obtain.js';
import { abbreviationOf } from '../core/states.js';
import type { DatasetDescription, ProvenanceEntry } from '../format/description.js';

const SYNTHETIC = 'synthetic values, none of which was measured';
const NOT_LOADED = 'Not loaded in this dataset.';

/** The field that names the source of the environmental values; it comes from the same files as these. */
const EPA_SOURCE_PATH = 'epa_data._source';

const INDEX_PATH = 'sdoh_index';
/** The component of the index that is already a rank when it is loaded. */
const INDEX_SVI_PATH = 'svi_themes.rpl_themes';

/** The parts of a dataset's description that concern its sources. */
export type DescribedSources = Pick<DatasetDescription, 'provenance' | 'states' | 'synthetic' | 'loadedSources'>;

/**
 * Describes the sources of a dataset's metrics in sentences, by path: each product and vintage with the day it was fetched,
 * if known, and the states that it covers; then the states whose ranks were computed within the state instead of the
 * nation; or that none of the loaded states has the metric. Empty while no state is loaded.
 */
export function describeSources({
  provenance,
  states,
  synthetic,
  loadedSources,
}: DescribedSources): ReadonlyMap<string, string> {
  const loaded = states.map(({ fips }) => fips);
  if (loaded.length === 0) return new Map();
  const describeThose = (isMeant: (entry: ProvenanceEntry) => boolean): string => {
    const entries = provenance.filter(isMeant);
    return entries.length > 0 ? describe(entries, loaded, synthetic, loadedSources) : NOT_LOADED;
  };
  return new Map([
    ...METRICS.map(({ path, section }): [string, string] => [
      path,
      describeThose((entry) => entry.section === section && entry.metrics.includes(path)),
    ]),
    [EPA_SOURCE_PATH, describeThose(({ section }) => section === 'epa_data')],
    [INDEX_PATH, describeIndex(provenance, loaded, synthetic)],
  ]);
}

/** Describes the index, which has no source of its own, but whose ranks depend on the loaded states. */
function describeIndex(provenance: readonly ProvenanceEntry[], loaded: readonly string[], synthetic: boolean): string {
  const among = loaded.length === 1 ? 'one state' : `${loaded.length} states`;
  const vulnerability = provenance.filter(({ metrics }) => metrics.includes(INDEX_SVI_PATH));
  return [
    inThisDataset(synthetic, [`ranked among the tracts of ${among}`]),
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
    obtain(statesOf, product, () => new Set()).add(stateFips);
  }
  const products = [...statesOf].map(([product, states]) => `${product} (${listStates([...states], loaded)})`);
  return [inThisDataset(synthetic, products), ...rankedWithinState(entries, loaded, 'Ranked')].join(' ');
}

function inThisDataset(synthetic: boolean, parts: readonly string[]): string {
  return `In this dataset: ${[...(synthetic ? [SYNTHETIC] : []), ...parts].join('; ')}.`;
}

/** A sentence that lists the states whose entries are ranked within the state, if there are any. */
function rankedWithinState(entries: readonly ProvenanceEntry[], loaded: readonly string[], what: string): string[] {
  const ranked = new Set(entries.filter(({ stateRanked }) => stateRanked).map(({ stateFips }) => stateFips));
  if (ranked.size === 0) return [];
  return [`${what} within the state, not the nation, for ${listStates([...ranked], loaded)}.`];
}

/** Lists states in the order of FIPS codes, as `CO, GA, NY`, or as `all loaded states`. */
function listStates(fipsCodes: readonly string[], loaded: readonly string[]): string {
  if (loaded.length > 1 && loaded.every((fips) => fipsCodes.includes(fips))) return 'all loaded states';
  return [...fipsCodes].sort().map(abbreviationOf).join(', ');
}
