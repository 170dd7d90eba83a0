import { type Metric, metricsOf, type Section, TREND_METRICS } from '../../core/metrics.js';
import type { Layer } from '../intake/layer.js';
import { countIn, type PlacedLayer, positionsIn, type StateRows } from './placed-layer.js';

/** Metrics that all come from one layer within a state: a single metric of ACS or PLACES, or another section as a whole. */
export interface MetricGroup {
  readonly section: Section;
  readonly metrics: readonly string[];
}

const wholeSection = (section: Section): MetricGroup => ({
  section,
  metrics: metricsOf(section).map((metric) => metric.path),
});

const eachAlone = (metrics: readonly Metric[]): MetricGroup[] =>
  metrics.map(({ section, path }) => ({ section, metrics: [path] }));

/**
 * All groups. ACS publishes each demographic metric in a table of its own. PLACES models each measure by itself, and has
 * none where the survey behind it was not held: the 2025 release has two of fourteen for Kentucky and Pennsylvania.
 */
export const METRIC_GROUPS: readonly MetricGroup[] = [
  ...eachAlone(TREND_METRICS),
  wholeSection('svi_themes'),
  ...eachAlone(metricsOf('places_measures')),
  wholeSection('epa_data'),
];

/** Layers with this preference or a higher one only fill gaps. */
const FALLBACK_PREFERENCE = 2;

/**
 * Chooses a group's layer for a state, among those whose rows of the state have a column for one of its metrics: those with
 * a value in it come first, of these the newest year wins, within a year the preferred table (ACS detailed before profile
 * and subject tables), and of equal ones that with the most tracts. The chosen layer hides the others; fallbacks fill the
 * values that it leaves empty.
 */
export function selectLayers(
  group: MetricGroup,
  layers: readonly PlacedLayer[],
  state: StateRows,
): { current: PlacedLayer | undefined; hidden: PlacedLayer[]; fallbacks: PlacedLayer[] } {
  const tractCounts = new Map(
    layers
      .filter(({ layer }) => group.metrics.some((path) => layer.holds(state.stateFips, path)))
      .map((placed) => [placed, countIn(placed, state)] as const),
  );
  const tractsOf = (placed: PlacedLayer): number => tractCounts.get(placed) ?? 0;
  const holders = [...tractCounts.keys()].filter((placed) => tractsOf(placed) > 0);
  const filled = new Set(holders.filter((holder) => hasValue(holder, group, state)));
  const candidates = holders.sort(
    (a, b) =>
      Number(filled.has(b)) - Number(filled.has(a)) ||
      b.layer.key.year - a.layer.key.year ||
      a.layer.key.preference - b.layer.key.preference ||
      tractsOf(b) - tractsOf(a),
  );
  const [current, ...hidden] = candidates.filter(({ layer }) => layer.key.preference < FALLBACK_PREFERENCE);
  return {
    current,
    hidden,
    fallbacks: candidates.filter(({ layer }) => layer.key.preference >= FALLBACK_PREFERENCE),
  };
}

function hasValue(placed: PlacedLayer, group: MetricGroup, state: StateRows): boolean {
  return positionsIn(placed, state).some(createIsFilled(group, placed.layer));
}

/** Tells whether a layer has a value of one of the group's metrics at a position; at NO_POSITION it has none. */
export function createIsFilled({ metrics }: MetricGroup, layer: Layer): (position: number) => boolean {
  const columns = metrics.map((path) => layer.key.metrics.indexOf(path));
  return (position) => columns.some((column) => !Number.isNaN(layer.valueAt(position, column)));
}
