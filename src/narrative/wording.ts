import { amount, count, dollars, percent, type Unit } from './units.js';

/** The part of a summary that a metric belongs to. */
export type Domain = 'social' | 'health' | 'environment';

/** How a narrative describes a metric. */
export interface MetricWording {
  readonly domain: Domain;
  /** A noun phrase in plain clinical language. */
  readonly label: string;
  /** Which end of the scale is unfavorable for health; `neither` is described but not judged. */
  readonly unfavorable: 'high' | 'low' | 'neither';
  /** Writes a value; undefined if only the rank is useful to a reader, as for an index without a natural unit. */
  readonly unit?: Unit;
  /** What a percentage is a percentage of; undefined if the label says it. */
  readonly whole?: string;
  /** What patients from an area with an unfavorable figure are commonly asked about or screened for. */
  readonly screening?: string;
}

/** Screening topics that several metrics lead to. They name what to ask about, never what a patient has. */
const NEEDS = 'food insecurity, housing instability and difficulty affording medicines';
const COVERAGE = 'gaps in health coverage';
const HEART = 'blood pressure and cardiovascular risk';
const BREATHING = 'asthma and other respiratory symptoms';
const ACTIVITY = 'diet, weight and physical activity';
const EXPOSURE = 'environmental exposures';

type Row = Omit<MetricWording, 'domain'>;

const inDomain =
  (domain: Domain) =>
  (row: Row): MetricWording => ({ domain, ...row });
const social = inDomain('social');
const environment = inDomain('environment');

/** A PLACES measure: percent of adults. */
const health = (label: string, screening: string, more: Partial<Row> = {}): MetricWording =>
  inDomain('health')({ label, unfavorable: 'high', unit: percent, whole: 'adults', screening, ...more });

/** For measures where more is better. */
const LOW = { unfavorable: 'low' } as const;

/** An environmental index of which only the rank is given. */
const index = (label: string, screening: string): MetricWording =>
  environment({ label, unfavorable: 'high', screening });

/**
 * Every metric, by path. Definitions: ACS table notes; SVI documentation (theme names since 2020); PLACES measure
 * definitions (adults aged 18 and over, `access2` 18 to 64); EJScreen technical documentation. The proximity and discharge
 * indicators are distance-weighted indices whose scale changed between EJScreen editions, so only their rank is given. Age,
 * population and the share of minority residents are not risks in themselves and are not judged.
 */
export const METRIC_WORDING: Readonly<Record<string, MetricWording>> = {
  total_population: social({ label: 'total population', unfavorable: 'neither', unit: count }),
  median_household_income: social({
    label: 'median household income',
    unfavorable: 'low',
    unit: dollars,
    screening: NEEDS,
  }),
  poverty_rate: social({
    label: 'poverty rate',
    unfavorable: 'high',
    unit: percent,
    screening: NEEDS,
  }),
  uninsured_rate: social({
    label: 'uninsured rate',
    unfavorable: 'high',
    unit: percent,
    screening: COVERAGE,
  }),
  unemployment_rate: social({
    label: 'unemployment rate',
    unfavorable: 'high',
    unit: percent,
    screening: NEEDS,
  }),
  median_age: social({ label: 'median age', unfavorable: 'neither', unit: amount('years', 1) }),
  'svi_themes.rpl_theme1': social({ label: 'socioeconomic vulnerability', unfavorable: 'high', screening: NEEDS }),
  'svi_themes.rpl_theme2': social({
    label: 'vulnerability by household characteristics',
    unfavorable: 'high',
    screening: 'caregiving, disability and language needs',
  }),
  'svi_themes.rpl_theme3': social({ label: 'share of racial and ethnic minority residents', unfavorable: 'neither' }),
  'svi_themes.rpl_theme4': social({
    label: 'vulnerability by housing type and transportation',
    unfavorable: 'high',
    screening: 'housing conditions and transportation to appointments',
  }),
  'svi_themes.rpl_themes': social({ label: 'overall social vulnerability', unfavorable: 'high', screening: NEEDS }),
  'places_measures.diabetes': health('diagnosed diabetes', 'diabetes and prediabetes'),
  'places_measures.obesity': health('obesity', ACTIVITY),
  'places_measures.mhlth': health('frequent mental distress', 'depression and anxiety'),
  'places_measures.phlth': health('frequent physical distress', 'pain and functional limitations'),
  'places_measures.bphigh': health('high blood pressure', HEART),
  'places_measures.casthma': health('current asthma', BREATHING),
  'places_measures.chd': health('coronary heart disease', HEART),
  'places_measures.csmoking': health('current smoking', 'tobacco use'),
  'places_measures.access2': health('no health insurance', COVERAGE, { whole: 'working-age adults' }),
  'places_measures.checkup': health('routine checkups in the past year', 'overdue preventive care', LOW),
  'places_measures.dental': health('dental visits in the past year', 'unmet dental needs', LOW),
  'places_measures.sleep': health('short sleep', 'sleep problems'),
  'places_measures.lpa': health('no leisure-time physical activity', ACTIVITY),
  'places_measures.binge': health('binge drinking', 'unhealthy alcohol use'),
  'epa_data.pm25': environment({
    label: 'fine particle pollution',
    unfavorable: 'high',
    unit: amount('µg/m³', 1),
    screening: BREATHING,
  }),
  'epa_data.ozone': environment({
    label: 'ozone',
    unfavorable: 'high',
    unit: amount('ppb', 1),
    screening: BREATHING,
  }),
  'epa_data.diesel_pm': environment({
    label: 'diesel particulate matter',
    unfavorable: 'high',
    unit: amount('µg/m³', 2),
    screening: BREATHING,
  }),
  'epa_data.air_toxics_cancer_risk': environment({
    label: 'lifetime cancer risk from air toxics',
    unfavorable: 'high',
    unit: amount('per million people', 0),
    screening: EXPOSURE,
  }),
  'epa_data.respiratory_hazard_index': index('respiratory hazard from air toxics', BREATHING),
  'epa_data.traffic_proximity': index('traffic nearby', BREATHING),
  'epa_data.lead_paint_pct': environment({
    label: 'housing built before 1960, which may contain lead paint',
    unfavorable: 'high',
    unit: percent,
    whole: 'homes',
    screening: 'lead exposure in young children and in pregnancy',
  }),
  'epa_data.superfund_proximity': index('proximity to Superfund sites', EXPOSURE),
  'epa_data.rmp_proximity': index('proximity to facilities with chemical accident plans', EXPOSURE),
  'epa_data.hazardous_waste_proximity': index('proximity to hazardous waste facilities', EXPOSURE),
  'epa_data.wastewater_discharge': index('toxic wastewater discharge nearby', EXPOSURE),
  sdoh_index: social({ label: 'composite social disadvantage index', unfavorable: 'high', screening: NEEDS }),
};

/** The wording of a metric by its path. Throws if the path is no metric, which is a bug in the caller. */
export function wordingOf(path: string): MetricWording {
  const wording = METRIC_WORDING[path];
  if (!wording) throw new Error(`no wording for the metric ${path}`);
  return wording;
}
