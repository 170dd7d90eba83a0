import { metricsOf, type Section, TREND_METRICS } from '../core/metrics.js';
import type { Layer } from './layer.js';

/** Metrics that all come from one layer within a state: a single demographic metric, or another section as a whole. */
export interface Unit {
  readonly section: Section;
  readonly metrics: readonly string[];
}

const wholeSection = (section: Section): Unit => ({
  section,
  metrics: metricsOf(section).map((metric) => metric.path),
});

/** All units. ACS publishes each demographic metric in a table of its own; the other sources are one table each. */
export const UNITS: readonly Unit[] = [
  ...TREND_METRICS.map((metric): Unit => ({ section: 'demographics', metrics: [metric.path] })),
  wholeSection('svi_themes'),
  wholeSection('places_measures'),
  wholeSection('epa_data'),
];

/** Layers with this preference or a higher one only fill gaps. */
const FALLBACK_PREFERENCE = 2;

/**
 * Chooses a unit's layer for a state, among those whose rows of the state have a column for one of its metrics: the newest
 * year wins, within a year the preferred table (ACS detailed before profile and subject tables), and of equal ones that
 * with the most tracts. The chosen layer hides the others; fallbacks fill the values that it leaves empty.
 */
export function selectLayers<
  L extends { readonly layer: Layer; readonly byState: ReadonlyMap<string, readonly unknown[]> },
>(unit: Unit, layers: readonly L[], state: string): { current: L | undefined; hidden: L[]; fallbacks: L[] } {
  const tractsOf = ({ byState }: L): number => byState.get(state)?.length ?? 0;
  const candidates = layers
    .filter(({ layer, byState }) => byState.has(state) && unit.metrics.some((path) => layer.holds(state, path)))
    .sort(
      (a, b) =>
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
