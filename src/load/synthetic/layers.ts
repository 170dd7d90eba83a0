import type { Geoid } from '../../core/geoid.js';
import { metricsOf, TREND_METRICS } from '../../core/metrics.js';
import { Layer, type LayerKey } from '../intake/layer.js';
import type { LoadSink } from '../intake/load-sink.js';
import { ACS_YEARS, createDemographics, type Demographics } from './demographics.js';
import { environmentOf } from './environment.js';
import { HEALTH_KEYS, healthOf } from './health.js';
import type { Profile } from './profile.js';
import { vulnerabilityOf } from './vulnerability.js';

/** A tract and the profile that its values are drawn from. */
export interface Subject {
  readonly geoid: Geoid;
  readonly profile: Profile;
}

/** ACS detailed tables, in the order of the metrics that they provide. */
const ACS_TABLES = ['B01003', 'B19013', 'B17001', 'B27010', 'B23025', 'B01002'] as const;

const SVI_YEAR = 2022;
const PLACES_YEAR = 2024;
const EJSCREEN_YEAR = 2023;

/** Adds all values of the tracts, in one layer per table and vintage, as the agencies publish them. */
export function addLayers(subjects: readonly Subject[], sink: LoadSink): void {
  addDemographics(subjects, sink);
  addTable(subjects, sink, vulnerabilityOf, {
    source: 'svi',
    table: 'SVI',
    year: SVI_YEAR,
    label: `Synthetic SVI ${SVI_YEAR}`,
    metrics: metricsOf('svi_themes').map(({ path }) => path),
  });
  addTable(subjects, sink, healthOf, {
    source: 'places',
    table: 'PLACES',
    year: PLACES_YEAR,
    label: `Synthetic PLACES ${PLACES_YEAR}`,
    metrics: HEALTH_KEYS.map((key) => `places_measures.${key}`),
  });
  addTable(subjects, sink, environmentOf, {
    source: 'ejscreen',
    table: 'EJScreen',
    year: EJSCREEN_YEAR,
    label: `Synthetic EJScreen ${EJSCREEN_YEAR}`,
    metrics: metricsOf('epa_data').map(({ path }) => path),
  });
}

type TableKey = Omit<LayerKey, 'tractVintage' | 'preference'>;

function addTable(
  subjects: readonly Subject[],
  sink: LoadSink,
  valuesOf: (profile: Profile) => readonly number[] | undefined,
  key: TableKey,
): void {
  const layer = createLayer(key, key.label, sink);
  for (const { geoid, profile } of subjects) {
    const values = valuesOf(profile);
    if (!values) continue;
    layer.tally.read++;
    layer.add(geoid, values);
  }
  sink.addLayer(layer);
}

function addDemographics(subjects: readonly Subject[], sink: LoadSink): void {
  const courses = subjects.map(({ geoid, profile }) => ({ geoid, inYear: createDemographics(profile) }));
  for (const year of ACS_YEARS) {
    const product = `Synthetic ACS 5-year ${year}`;
    const layers = TREND_METRICS.map(({ path }, column) => {
      const table = ACS_TABLES[column] ?? path;
      return createLayer({ source: 'acs', table, year, label: `${product} ${table}`, metrics: [path] }, product, sink);
    });
    for (const { geoid, inYear } of courses) {
      const values: Demographics = inYear(year);
      layers.forEach((layer, column) => {
        layer.tally.read++;
        layer.add(geoid, values.slice(column, column + 1));
      });
    }
    for (const layer of layers) sink.addLayer(layer);
  }
}

const createLayer = (key: TableKey, product: string, sink: LoadSink): Layer =>
  new Layer({ ...key, tractVintage: 2020, preference: 0 }, sink.tally(key.source, product));
