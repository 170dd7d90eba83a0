import type { Geoid } from '../../../core/geoid.js';
import { obtain } from '../../../core/obtain.js';
import type { TextProbe } from '../../files/probe.js';
import { InputError } from '../../input.js';
import { Layer } from '../../intake/layer.js';
import type { LoadSink } from '../../intake/load-sink.js';
import { Tally } from '../../intake/tally.js';
import { cellAt, optionalColumn, requireColumns } from '../columns.js';
import { COUNTY_NAME_TRUST, createCountyNamer } from '../county-names.js';
import type { GeoidField } from '../geoid-field.js';
import { type RowTaker, readTable } from '../read-table.js';
import { createPlaceCheck } from '../row-place.js';
import { requireTract } from '../tract-field.js';
import { PLACES_MEASURES, readPrevalence } from './measures.js';
import { PLACES_PLACE } from './place-columns.js';
import { earliestRelease, isOfOtherRelease, placesLayerKey, placesProduct, YEARS_TO_RELEASE } from './vintage.js';

export const PLACES_LONG_GEOID: readonly string[] = ['LocationID', 'LocationName'];

export const PLACES_LONG_COLUMNS = {
  geoid: PLACES_LONG_GEOID,
  measure: ['MeasureId'],
  value: ['Data_Value'],
  valueType: ['DataValueTypeID', 'Data_Value_Type'],
} as const;

const MEASURE_INDEX: ReadonlyMap<string, number> = new Map(PLACES_MEASURES.map(({ id }, index) => [id, index]));

/** For each measure, its metric, and the column name under which its values are accounted for. */
const VALUES = PLACES_MEASURES.map(({ id, path }) => ({ path, column: `Data_Value (${id})` }));

/** A tract's values, gathered row by row. */
interface Gathered {
  readonly field: GeoidField;
  readonly values: Float64Array;
  /** 1 for each measure whose row has been seen, with or without a value. */
  readonly seen: Uint8Array;
  /** The number of the tract's first row. */
  readonly row: number;
  /** How many rows the values come from. */
  sourceRows: number;
}

/**
 * Reads the crude prevalences in the long layout: a row per tract and measure, in any order; only measures that are metrics
 * are kept. An unknown release is derived from the newest year in the rows. Throws `InputError` on missing columns.
 */
export async function readPlacesLong(probe: TextProbe, release: number | undefined, sink: LoadSink): Promise<void> {
  const year = release ?? (await releaseByRows(probe));
  const tally = sink.tally('places', placesProduct(year), probe.file.label);
  const tracts = new Map<Geoid, Gathered>();
  await readTable(probe, tally, (header) =>
    longRows({ label: probe.file.label, named: release }, header, tracts, sink, tally),
  );
  const gathered = [...tracts.values()];
  const isThere = (measure: number): boolean => gathered.some(({ seen }) => seen[measure] === 1);
  const measures = PLACES_MEASURES.flatMap(({ path }, index) => (isThere(index) ? [{ path, index }] : []));
  const metrics = measures.map(({ path }) => path);
  const layer = new Layer(placesLayerKey(year, metrics), tally);
  for (const { field, values, row, sourceRows } of gathered) {
    tally.row = row;
    const found = measures.map(({ index }) => values[index] ?? Number.NaN);
    layer.add(field.geoid, found, field.padded, sourceRows);
  }
  tally.row = 0;
  sink.addLayer(layer);
}

function longRows(
  /** `named` is the release that the file's name gives, if it does. */
  { label, named }: { readonly label: string; readonly named: number | undefined },
  header: readonly string[],
  tracts: Map<Geoid, Gathered>,
  sink: LoadSink,
  tally: Tally,
): RowTaker {
  const columns = requireColumns(label, header, PLACES_LONG_COLUMNS);
  const isWantedPlace = createPlaceCheck(label, header, PLACES_PLACE, sink, tally);
  const [county, year] = ['CountyName', 'Year'].map((name) => optionalColumn(label, header, [name]));
  const nameCounty = createCountyNamer(sink, COUNTY_NAME_TRUST.places);
  return (cells) => {
    const field = requireTract(cellAt(cells, columns.geoid), tally, header[columns.geoid]);
    if (!field || !isWantedPlace(field, cells)) return;
    nameCounty(field, cellAt(cells, county));
    const measure = MEASURE_INDEX.get(cellAt(cells, columns.measure).toUpperCase());
    if (measure === undefined) return tally.leave('another measure');
    const type = cellAt(cells, columns.valueType);
    if (AGE_ADJUSTED.test(type)) return tally.leave('not a crude prevalence');
    if (!CRUDE.test(type)) {
      return tally.reject('unknown type of value', {
        geoid: field.geoid,
        column: header[columns.valueType],
        value: type,
      });
    }
    if (named !== undefined && isOfOtherRelease(cellAt(cells, columns.measure), cellAt(cells, year), named)) {
      const example = { geoid: field.geoid, column: header[year ?? -1], value: cellAt(cells, year) };
      return tally.reject('year of another release than its file’s name gives', example);
    }
    const tract = obtain(tracts, field.geoid, () => ({
      field,
      values: new Float64Array(PLACES_MEASURES.length).fill(Number.NaN),
      seen: new Uint8Array(PLACES_MEASURES.length),
      row: tally.row,
      sourceRows: 0,
    }));
    setValue(tract, measure, cellAt(cells, columns.value), tally);
  };
}

function setValue(tract: Gathered, measure: number, text: string, tally: Tally): void {
  const { path, column } = VALUES[measure] ?? { path: '', column: '' };
  const value = readPrevalence(path, text, tally.column(column));
  if (tract.seen[measure] === 0) {
    tract.seen[measure] = 1;
    tract.sourceRows++;
    tract.values[measure] = value;
  } else if (Object.is(tract.values[measure], value)) tally.leave('duplicate row');
  else {
    const [geoid, column] = [tract.field.geoid, 'Data_Value'];
    tally.reject('duplicate tract and measure with another value', { geoid, column, value: text });
  }
}

/** The types of values, by their IDs and by their names. */
const CRUDE = /^(?:CrdPrv|Crude prevalence)$/i;
const AGE_ADJUSTED = /^(?:AgeAdjPrv|Age-adjusted prevalence)$/i;

/** Derives the release from the newest year in the rows: a pass over the file whose tally is discarded. */
async function releaseByRows(probe: TextProbe): Promise<number> {
  let newest = 0;
  await readTable(probe, new Tally('places', 'years'), (header) => {
    const { year } = requireColumns(probe.file.label, header, { year: ['Year'] });
    return (cells) => {
      const value = Number(cellAt(cells, year));
      if (value > newest && value < 2100) newest = value;
    };
  });
  if (newest === 0) throw new InputError(`${probe.file.label}: no row gives its year`);
  // The newest measures of a release may have been cut out.
  return Math.max(newest + YEARS_TO_RELEASE, earliestRelease(probe.header));
}
