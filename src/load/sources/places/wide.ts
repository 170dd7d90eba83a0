import { InputError } from '../../input.js';
import { Layer } from '../../layer.js';
import { COUNTY_NAME_TRUST, type LoadSink, type TextProbe } from '../../model.js';
import { cellAt, findColumn, requireColumns } from '../columns.js';
import { createCountyNamer } from '../county-names.js';
import { readTable } from '../read-table.js';
import { takeTract } from '../tract-field.js';
import { PLACES_MEASURES, readPrevalence } from './measures.js';
import { placesLayerKey, placesProduct } from './vintage.js';

/** A measure's column and its metric; a release need not have every measure. */
const prevalenceColumns = (header: readonly string[]) =>
  PLACES_MEASURES.map(({ id, path }) => ({ path, column: findColumn(header, [`${id}_CrudePrev`]) }));

/** Whether the header has the crude prevalence of at least one measure that is a metric. */
export function hasPrevalence(header: readonly string[]): boolean {
  return prevalenceColumns(header).some(({ column }) => column !== undefined);
}

/** Reads the wide layout, a row a tract. Throws `InputError` where there is no TractFIPS or not one measure. */
export async function readPlacesWide(probe: TextProbe, release: number, sink: LoadSink): Promise<void> {
  const tally = sink.tally('places', placesProduct(release), probe.file.label);
  const layer = new Layer(placesLayerKey(release), tally);
  await readTable(probe, tally, (header) => {
    const { geoid } = requireColumns(probe.file.label, header, { geoid: ['TractFIPS'] });
    if (!hasPrevalence(header)) throw new InputError(`${probe.file.label}: columns missing: every <measure>_CrudePrev`);
    const columns = prevalenceColumns(header).map(({ path, column }) => ({
      path,
      column,
      account: tally.column(cellAt(header, column)),
    }));
    const county = findColumn(header, ['CountyName']);
    const nameCounty = createCountyNamer(sink, COUNTY_NAME_TRUST.places);
    return (cells) => {
      const field = takeTract(cellAt(cells, geoid), sink, tally, header[geoid]);
      if (!field) return;
      nameCounty(field, cellAt(cells, county));
      const values = columns.map(({ path, column, account }) => readPrevalence(path, cellAt(cells, column), account));
      layer.add(field.geoid, values, field.padded);
    };
  });
  sink.addLayer(layer);
}
