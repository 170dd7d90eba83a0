import { roundTo } from '../../../core/rounding.js';
import { STATES } from '../../../core/states.js';
import type { TextProbe } from '../../files/probe.js';
import { Layer } from '../../intake/layer.js';
import type { LoadSink } from '../../intake/load-sink.js';
import type { ColumnTally, Tally } from '../../intake/tally.js';
import { cellAt, optionalColumn, requireColumns } from '../columns.js';
import { COUNTY_NAME_TRUST, createCountyNamer } from '../county-names.js';
import type { GeoidField } from '../geoid-field.js';
import { type MissingRule, readNumber } from '../number-cell.js';
import { type RowTaker, readTable } from '../read-table.js';
import { createPlaceCheck } from '../row-place.js';
import { readTractField, requireTract } from '../tract-field.js';
import { checkRange } from '../value-range.js';
import { EJSCREEN_COLUMNS, type EjscreenColumn, ejscreenNames } from './columns.js';
import { type CountyCheck, createCountyCheck } from './county-check.js';
import { ejscreenTractVintage, isNewestByColumnsAlone } from './vintage.js';

export const EJSCREEN_ID: readonly string[] = ['ID'];

/** Further digits would be noise from the division that made the fraction. */
const PERCENT_DECIMALS = 6;

const TERRITORIES = new Set(STATES.filter((state) => state.territory).map((state) => state.abbreviation));

const isEjscreenMissing: MissingRule = (text) => text === '' || /^(none|null|na)$/i.test(text);

const ASSUMED = 'file of unknown year: by its columns of 2024, or of a release after it; put the year into its name';

const COUNTY_NAME = 'CNTY_NAME';

/** Reads one year's tracts. Throws `InputError` naming the columns of that year that are missing, and on IDs that slipped. */
export async function readEjscreen(probe: TextProbe, product: string, year: number, sink: LoadSink): Promise<void> {
  const tally = sink.tally('ejscreen', product, probe.file.label);
  if (isNewestByColumnsAlone(probe)) tally.note(ASSUMED);
  const published = EJSCREEN_COLUMNS.filter(({ until = year }) => year <= until);
  const layer = new Layer(
    {
      source: 'ejscreen',
      table: 'EJScreen',
      year,
      tractVintage: ejscreenTractVintage(year),
      label: product,
      metrics: published.map(({ path }) => path),
      preference: 0,
    },
    tally,
  );
  const { label } = probe.file;
  const counties = createCountyCheck(COUNTY_NAME);
  await readTable(probe, tally, (header) => ejscreenRows(label, header, published, layer, counties, sink));
  counties.finish(`${label} (${product})`);
  sink.addLayer(layer);
}

function ejscreenRows(
  label: string,
  header: readonly string[],
  published: readonly EjscreenColumn[],
  layer: Layer,
  counties: CountyCheck,
  sink: LoadSink,
): RowTaker {
  const { tally } = layer;
  const wanted = { id: EJSCREEN_ID, ...ejscreenNames(published) };
  const { id, ...indexes } = requireColumns<string>(label, header, wanted);
  const columns = published.map((column) => ({
    column,
    index: indexes[column.path],
    account: tally.column(column.name),
  }));
  const state = optionalColumn(label, header, ['ST_ABBREV']);
  const isWantedPlace = createPlaceCheck(label, header, { state: 'ST_ABBREV' }, sink, tally);
  const county = optionalColumn(label, header, [COUNTY_NAME]);
  const nameCounty = createCountyNamer(sink, COUNTY_NAME_TRUST.ejscreen);
  return (cells) => {
    const field = takeRow(cellAt(cells, id), cellAt(cells, state), tally, cellAt(header, id));
    if (!field || !isWantedPlace(field, cells)) return;
    const countyName = cellAt(cells, county);
    nameCounty(field, countyName);
    counties.add(field.geoid, countyName, tally.row);
    const values = columns.map(({ column, index, account }) => readValue(column, cellAt(cells, index), account));
    layer.add(field.geoid, values, field.padded);
  };
}

/** Reads the row's tract. Rows of the island areas have short IDs that are no GEOIDs, and are left out. */
function takeRow(id: string, stateAbbreviation: string, tally: Tally, column: string): GeoidField | undefined {
  if (!readTractField(id) && TERRITORIES.has(stateAbbreviation)) {
    tally.leave('territory');
    return undefined;
  }
  return requireTract(id, tally, column);
}

function readValue(column: EjscreenColumn, text: string, account: ColumnTally): number {
  const value = readNumber(text, isEjscreenMissing, account);
  const served = column.fraction ? roundTo(value * 100, PERCENT_DECIMALS) : value;
  return checkRange(column.path, served, account, text);
}
