import { METRICS, metricIndex, type Section, TREND_METRICS } from '../../core/metrics.js';
import { obtain } from '../../core/obtain.js';
import type { ProvenanceEntry } from '../../format/description.js';
import { noteTractsOf2020 } from '../checks/census-check.js';
import type { Intake } from '../intake/intake.js';
import type { Layer } from '../intake/layer.js';
import type { TractRow } from '../intake/tract-rows.js';
import type { Bridge } from './bridge.js';
import {
  countIn,
  NO_POSITION,
  type PlacedLayer,
  placeLayer,
  positionsIn,
  type StateRows,
  statesOf,
} from './placed-layer.js';
import { createIsFilled, METRIC_GROUPS, type MetricGroup, selectLayers } from './select-layers.js';

/** The tracts' values from all layers, one row per tract in GEOID order; NaN is missing. */
export interface JoinedTracts {
  readonly tracts: readonly TractRow[];
  /** One column per metric of METRICS; `sdoh_index` is still empty. */
  readonly values: readonly Float64Array[];
  /** By section, 1 for each tract that its source has a row of, even one without values. */
  readonly present: ReadonlyMap<Section, Uint8Array>;
  readonly provenance: readonly ProvenanceEntry[];
  /** By layer that current values come from, and by state, how many tracts it has a row of. */
  readonly rowCounts: ReadonlyMap<Layer, ReadonlyMap<string, number>>;
  /** `epa_data._source` by row. */
  readonly epaSource: readonly (string | undefined)[];
  readonly trendYears: readonly number[];
  /** By row, year, trend metric. */
  readonly trendValues: Float64Array;
}

/** Joins the layers to the tracts: for each state and group, from the newest layer only, so that years are never mixed. */
export function joinLayers(intake: Intake, tracts: readonly TractRow[], bridge: Bridge): JoinedTracts {
  const rowOf = new Map(tracts.map((tract, row) => [tract.geoid, row]));
  const placed = [...intake.layers.values()].map((layer) => placeLayer(layer, rowOf, bridge));
  noteTractsOf2020(intake.layers.values(), tracts);
  const provenance: ProvenanceEntry[] = [];
  const joined = {
    tracts,
    values: METRICS.map(() => new Float64Array(tracts.length).fill(Number.NaN)),
    present: new Map(METRIC_GROUPS.map((group) => [group.section, new Uint8Array(tracts.length)])),
    epaSource: new Array<string | undefined>(tracts.length),
  };
  const states = statesOf(tracts);
  const rowCounts = new Map<Layer, Map<string, number>>();
  const lost = new Map<PlacedLayer, Set<number>>();
  for (const state of states) {
    const provided: Provided[] = [];
    for (const group of METRIC_GROUPS) {
      const { current, hidden, fallbacks } = selectLayers(group, placed, state);
      if (current) {
        provided.push(fill(joined, group, current, state));
        obtain(rowCounts, current.layer, () => new Map()).set(state.stateFips, countIn(current, state));
      }
      if (current && hidden.length > 0) addLost(lost, group, { current, hidden }, state);
      for (const { layer } of hidden) {
        if (current && layer.key.year > current.layer.key.year) layer.tally.note(GIVEN_WAY, group.metrics.length);
      }
      for (const fallback of fallbacks) provided.push(fill(joined, group, fallback, state));
    }
    provenance.push(...provenanceOf(provided));
  }
  for (const [{ layer }, rows] of lost) layer.tally.note(HIDDEN_AND_EMPTY, rows.size);
  return { ...joined, provenance, rowCounts, ...joinTrends(placed, tracts, states) };
}

type Joining = Pick<JoinedTracts, 'values' | 'present'> & { epaSource: (string | undefined)[] };

/** What a layer has provided of a state: of which metrics, and for which rows. */
interface Provided {
  readonly entry: Omit<ProvenanceEntry, 'tractCount'>;
  readonly rows: Set<number>;
}

/** Writes a layer's values of one group into the columns' empty cells, and says what it has written. */
function fill(joined: Joining, group: MetricGroup, placed: PlacedLayer, state: StateRows): Provided {
  const { layer } = placed;
  const columns = group.metrics
    .map((path) => ({ source: layer.key.metrics.indexOf(path), target: joined.values[metricIndex(path)] }))
    .filter(({ source }) => source >= 0);
  const present = joined.present.get(group.section);
  const filled = new Set<number>();
  positionsIn(placed, state).forEach((position, at) => {
    if (position === NO_POSITION) return;
    const row = state.first + at;
    for (const { source, target } of columns) {
      const value = layer.valueAt(position, source);
      if (target === undefined || Number.isNaN(value) || !Number.isNaN(target[row] ?? 0)) continue;
      target[row] = value;
      filled.add(row);
    }
    if (present) present[row] = 1;
    if (group.section === 'epa_data') joined.epaSource[row] = layer.key.label;
  });
  const { source, label, year, tractVintage } = layer.key;
  const { stateFips } = state;
  const metrics = group.metrics.filter((path) => layer.holds(stateFips, path));
  const stateRanked = layer.stateRanked.has(stateFips);
  return {
    entry: { stateFips, section: group.section, metrics, source, label, year, tractVintage, stateRanked },
    rows: filled,
  };
}

/** As PLACES 2025, which has hardly any measure of Kentucky and Pennsylvania. */
const GIVEN_WAY = 'metric without a value in a state: taken from an older file';

/** A file of only some of a state's tracts, such as one county's, hides older files that have all of them. */
const HIDDEN_AND_EMPTY =
  'tract missing from the file that takes precedence: left empty, since years and tables are not mixed';

/** Adds each tract that `current` has no row of but a hidden layer has a value for, under the first such layer. */
function addLost(
  lost: Map<PlacedLayer, Set<number>>,
  group: MetricGroup,
  { current, hidden }: { readonly current: PlacedLayer; readonly hidden: readonly PlacedLayer[] },
  state: StateRows,
): void {
  const known = new Set<number>();
  positionsIn(current, state).forEach((position, at) => {
    if (position !== NO_POSITION) known.add(at);
  });
  for (const other of hidden) {
    const isFilled = createIsFilled(group, other.layer);
    positionsIn(other, state).forEach((position, at) => {
      if (position === NO_POSITION || known.has(at) || !isFilled(position)) return;
      known.add(at);
      obtain(lost, other, () => new Set()).add(state.first + at);
    });
  }
}

/** A state's entries, one per layer and section: metrics that come from the same table are listed together. */
function provenanceOf(provided: readonly Provided[]): ProvenanceEntry[] {
  const merged = new Map<string, Provided>();
  for (const { entry, rows } of provided) {
    if (rows.size === 0) continue;
    const id = `${entry.section}/${entry.label}/${entry.year}`;
    const known = merged.get(id);
    const metrics = [...(known?.entry.metrics ?? []), ...entry.metrics];
    merged.set(id, { entry: { ...entry, metrics }, rows: new Set([...(known?.rows ?? []), ...rows]) });
  }
  return [...merged.values()].map(({ entry, rows }) => ({ ...entry, tractCount: rows.size }));
}

/** Trend values for all ACS years, each from that year's tables only. The decennial count is not an ACS year. */
function joinTrends(
  placed: readonly PlacedLayer[],
  tracts: readonly TractRow[],
  states: readonly StateRows[],
): Pick<JoinedTracts, 'trendYears' | 'trendValues'> {
  const surveys = placed.filter(({ layer }) => layer.key.source === 'acs');
  const years = [...new Set(surveys.map(({ layer }) => layer.key.year))].sort((a, b) => a - b);
  const width = TREND_METRICS.length;
  const values = new Float64Array(tracts.length * years.length * width).fill(Number.NaN);
  years.forEach((year, yearAt) => {
    const ofYear = surveys.filter(({ layer }) => layer.key.year === year);
    TREND_METRICS.forEach(({ path }, metricAt) => {
      for (const state of states) {
        const { current } = selectLayers({ section: 'demographics', metrics: [path] }, ofYear, state);
        if (!current) continue;
        const { layer } = current;
        const source = layer.key.metrics.indexOf(path);
        positionsIn(current, state).forEach((position, at) => {
          const row = state.first + at;
          values[(row * years.length + yearAt) * width + metricAt] = layer.valueAt(position, source);
        });
      }
    });
  });
  return { trendYears: years, trendValues: values };
}
