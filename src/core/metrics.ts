/** The parts of a tract's record that data sources fill and that change events name. */
export const SECTIONS = ['demographics', 'svi_themes', 'places_measures', 'epa_data', 'sdoh_index'] as const;
export type Section = (typeof SECTIONS)[number];

/** One number of a tract's record. */
export interface Metric {
  /** Dotted path in the public record: `poverty_rate`, `places_measures.diabetes`. Unique. */
  readonly path: string;
  /** The last segment of the path. */
  readonly key: string;
  readonly section: Section;
  readonly type: 'integer' | 'float';
}

const section = (name: Section, prefix: string, keys: string, type: Metric['type'] = 'float'): Metric[] =>
  keys.split(' ').map((key) => ({ path: `${prefix}${key}`, key, section: name, type }));

/**
 * Every number of a tract's record, in the order of the public contract (SPEC 2.2–2.5). This table drives the compiled
 * columns, the record's JSON and everything else that walks over metrics.
 */
export const METRICS: readonly Metric[] = [
  ...section('demographics', '', 'total_population', 'integer'),
  ...section('demographics', '', 'median_household_income poverty_rate uninsured_rate unemployment_rate median_age'),
  ...section('svi_themes', 'svi_themes.', 'rpl_theme1 rpl_theme2 rpl_theme3 rpl_theme4 rpl_themes'),
  ...section(
    'places_measures',
    'places_measures.',
    'diabetes obesity mhlth phlth bphigh casthma chd csmoking access2 checkup dental sleep lpa binge',
  ),
  ...section(
    'epa_data',
    'epa_data.',
    'pm25 ozone diesel_pm air_toxics_cancer_risk respiratory_hazard_index traffic_proximity lead_paint_pct ' +
      'superfund_proximity rmp_proximity hazardous_waste_proximity wastewater_discharge',
  ),
  ...section('sdoh_index', '', 'sdoh_index'),
];

/** Position of each metric in {@link METRICS}, by path. */
const METRIC_INDEX: ReadonlyMap<string, number> = new Map(METRICS.map((metric, index) => [metric.path, index]));

/** Position of a metric in {@link METRICS}. Throws if no metric has the path, which is a bug in the caller. */
export function metricIndex(path: string): number {
  const index = METRIC_INDEX.get(path);
  if (index === undefined) throw new Error(`no metric has the path ${path}`);
  return index;
}

/** The six demographics that trends follow (SPEC 2.8). */
export const TREND_METRICS: readonly Metric[] = METRICS.filter((metric) => metric.section === 'demographics');

/** The seven metrics that comparisons, rankings and averages cover (SPEC 2.7). */
export const COMPARED_METRICS: readonly Metric[] = [
  ...TREND_METRICS,
  ...METRICS.filter((metric) => metric.section === 'sdoh_index'),
];

/** The metrics of PLACES and EJScreen: tracts have no stored ranks in them. (The agency's SVI figures are ranks themselves.) */
export const UNRANKED_METRICS: readonly Metric[] = METRICS.filter(
  ({ section }) => section === 'places_measures' || section === 'epa_data',
);

/** The metrics of one section, in contract order. */
export function metricsOf(name: Section): readonly Metric[] {
  return METRICS.filter((metric) => metric.section === name);
}
