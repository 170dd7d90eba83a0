import type { TextProbe } from '../../files/probe.js';
import { InputError } from '../../input.js';
import { Layer } from '../../intake/layer.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { type ColumnNames, cellAt, findColumn, optionalColumn, requireColumns } from '../columns.js';
import { COUNTY_NAME_TRUST, createCountyNamer } from '../county-names.js';
import { readTable } from '../read-table.js';
import { createPlaceCheck } from '../row-place.js';
import { requireTract } from '../tract-field.js';
import { PLACES_MEASURES, readPrevalence } from './measures.js';
import { PLACES_PLACE } from './place-columns.js';
import { placesLayerKey, placesProduct } from './vintage.js';

/** The column with a measure's crude prevalence; not every release has every measure. */
const prevalenceColumn = (id: string): ColumnNames => [`${id}_CrudePrev`];

/** Whether the header has the crude prevalence of at least one measure that is a metric. */
export function hasPrevalence(header: readonly string[]): boolean {
  return PLACES_MEASURES.some(({ id }) => findColumn(header, prevalenceColumn(id)) !== undefined);
}

/** Reads the wide layout, a row per tract. Throws `InputError` if there is no TractFIPS, or no measure at all. */
export async function readPlacesWide(probe: TextProbe, release: number, sink: LoadSink): Promise<void> {
  const tally = sink.tally('places', placesProduct(release), probe.file.label);
  let layer: Layer | undefined;
  await readTable(probe, tally, (header) => {
    const { label } = probe.file;
    const { geoid } = requireColumns(label, header, { geoid: ['TractFIPS'] });
    if (!hasPrevalence(header)) throw new InputError(`${label}: columns missing: every <measure>_CrudePrev`);
    const columns = PLACES_MEASURES.flatMap(({ id, path }) => {
      const column = optionalColumn(label, header, prevalenceColumn(id));
      return column === undefined ? [] : [{ path, column, account: tally.column(cellAt(header, column)) }];
    });
    const metrics = columns.map(({ path }) => path);
    const rows = new Layer(placesLayerKey(release, metrics), tally);
    layer = rows;
    const isWantedPlace = createPlaceCheck(label, header, PLACES_PLACE, sink, tally);
    const county = optionalColumn(label, header, ['CountyName']);
    const nameCounty = createCountyNamer(sink, COUNTY_NAME_TRUST.places);
    return (cells) => {
      const field = requireTract(cellAt(cells, geoid), tally, header[geoid]);
      if (!field || !isWantedPlace(field, cells)) return;
      nameCounty(field, cellAt(cells, county));
      const values = columns.map(({ path, column, account }) => readPrevalence(path, cellAt(cells, column), account));
      rows.add(field.geoid, values, field.padded);
    };
  });
  if (layer) sink.addLayer(layer);
}
