import { type Geoid, parseGeoid } from '../../src/core/geoid.js';
import { Layer, type LayerKey } from '../../src/load/intake/layer.js';
import { Tally } from '../../src/load/intake/tally.js';
import type { TractRow } from '../../src/load/intake/tract-rows.js';

/** Parses a GEOID; fails the test if the text is not one. */
export function geoidOf(text: string): Geoid {
  const geoid = parseGeoid(text);
  if (!geoid) throw new Error(`${text} is no GEOID`);
  return geoid;
}

/** A layer with these rows, each counted as read. By default the key is that of ACS 2022 with one column, income. */
export function layerOf(rows: Readonly<Record<string, readonly number[]>>, key: Partial<LayerKey> = {}): Layer {
  const whole: LayerKey = {
    source: 'acs',
    table: 'B19013',
    year: 2022,
    tractVintage: 2020,
    label: `ACS ${key.year ?? 2022} ${key.table ?? 'B19013'}`,
    metrics: ['median_household_income'],
    preference: 0,
    ...key,
  };
  const layer = new Layer(whole, new Tally(whole.source, whole.label));
  for (const [geoid, values] of Object.entries(rows)) {
    layer.tally.read++;
    layer.add(geoidOf(geoid), values);
  }
  return layer;
}

/** A tract at an arbitrary place, as a gazetteer lists it. */
export function tractOf(geoid: string): TractRow {
  return { geoid: geoidOf(geoid), lat: 45, lng: -93, landSqm: 1, waterSqm: 0 };
}

/** A layer's rows as they were added, each with a value per column. */
export function rowsOf(layer: Layer): [geoid: Geoid, values: number[]][] {
  return [...layer.positions].map(([geoid, position]) => [geoid, rowAt(layer, position)]);
}

/** The tract's values in a layer, one per column; undefined if it has no row there. */
export function valuesOf(layer: Layer, geoid: Geoid): number[] | undefined {
  const position = layer.positions.get(geoid);
  return position === undefined ? undefined : rowAt(layer, position);
}

const rowAt = (layer: Layer, position: number): number[] =>
  layer.key.metrics.map((_, column) => layer.valueAt(position, column));

/** Of which of a layer's rows the GEOID had lost its leading zero. */
export function paddedOf(layer: Layer): [geoid: Geoid, isPadded: boolean][] {
  return [...layer.positions.keys()].map((geoid) => [geoid, layer.isPadded(geoid)]);
}
