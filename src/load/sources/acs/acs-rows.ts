import { roundTo } from '../../../core/rounding.js';
import { InputError } from '../../input.js';
import type { Example } from '../../intake/example.js';
import { Layer } from '../../intake/layer.js';
import type { LoadSink } from '../../intake/load-sink.js';
import type { ColumnTally, Tally } from '../../intake/tally.js';
import { cellAt, columnTwice } from '../columns.js';
import { COUNTY_NAME_TRUST, countyOfTractName, createCountyNamer } from '../county-names.js';
import type { GeoidField } from '../geoid-field.js';
import { isWanted, readTractField, whyNoGeoid } from '../tract-field.js';
import { isNamedOtherwise, rejectNamedOtherwise } from '../tract-name.js';
import { checkCount, checkRange } from '../value-range.js';
import { readEstimate } from './cells.js';
import { type AcsHeader, type LocatedValue, locate, tablesOf } from './columns.js';
import { createPlausibility, type Plausibility } from './plausibility.js';
import type { AcsTable } from './tables.js';
import { type AcsVintage, acsProduct } from './vintage.js';

/** Takes a file's rows, for every table in the file. */
export interface AcsRows {
  /** Announces the number of the next row, as in an {@link Example}. */
  at(row: number): void;
  /**
   * Counts and adds the row of a tract, which may name its county. It is rejected if its GEOID (`published` in the file) is
   * invalid, or belongs to another tract than its name (empty if the file has none); it is left out if its state is not
   * wanted.
   */
  add(published: string, name: string, cells: readonly string[]): void;
  reject(reason: string, example?: Example): void;
  leave(reason: string): void;
  /** Passes the layers on to the sink. Throws `InputError` on a table most of whose rows are implausible. */
  finish(): void;
}

/** What an {@link AcsRows} needs to know about its file. */
export interface AcsRowsOptions {
  readonly label: string;
  readonly header: AcsHeader;
  readonly vintage: AcsVintage;
  /** Whether the file may hold only some of a table's metrics, as the answer to an API query may. */
  readonly partial: boolean;
}

/** Gives the account of the column with this index. */
type ColumnAt = (index: number) => ColumnTally;

interface TableRows {
  /** The columns of the metrics that the file holds, in the layer's order. */
  readonly values: readonly LocatedValue[];
  readonly layer: Layer;
  readonly columnAt: ColumnAt;
  readonly plausibility: Plausibility;
}

/** Throws `InputError` if the file has no table that is used, or a table lacks columns that it needs. */
export function createAcsRows(options: AcsRowsOptions, sink: LoadSink): AcsRows {
  const tables = tablesOf(options.header).map((table) => tableRows(table, options, sink));
  if (tables.length === 0)
    throw new InputError(`${options.label}: columns missing: it has no estimates of a table that is used here`);
  const each = (account: (tally: Tally) => void): void => {
    for (const { layer } of tables) {
      layer.tally.read++;
      account(layer.tally);
    }
  };
  const nameCounty = createCountyNamer(sink, COUNTY_NAME_TRUST.acs, countyOfTractName);
  return {
    at: (row) => {
      for (const { layer } of tables) layer.tally.row = row;
    },
    add(published, name, cells) {
      const field = readTractField(published);
      const contradicts = field !== undefined && isNamedOtherwise(field.geoid, name, sink);
      for (const table of tables) {
        const { layer } = table;
        layer.tally.read++;
        if (!field) layer.tally.reject(whyNoGeoid(published), { value: published });
        else if (contradicts) rejectNamedOtherwise(layer.tally, field.geoid, 'NAME', name);
        else if (isWanted(field, sink, layer.tally)) addRow(table, field, cells);
      }
      if (field) nameCounty(field, name);
    },
    reject: (reason, example) => each((tally) => tally.reject(reason, example)),
    leave: (reason) => each((tally) => tally.leave(reason)),
    finish: () => {
      for (const { layer, plausibility } of tables) {
        layer.tally.row = 0;
        plausibility.finish(`${options.label} (${layer.tally.product})`);
        sink.addLayer(layer);
      }
    },
  };
}

function tableRows(table: AcsTable, options: AcsRowsOptions, sink: LoadSink): TableRows {
  const { vintage, header, label } = options;
  const tally = sink.tally('acs', acsProduct(vintage, table.id), label);
  const missing: string[] = [];
  const values = table.values.flatMap((value) => {
    const located = locate(value, header, vintage.year);
    if ('metric' in located) return [located];
    missing.push(...located);
    return [];
  });
  if (missing.length > 0 && !(options.partial && values.length > 0)) {
    throw new InputError(`${label}: ${table.id} of ${vintage.year}: columns missing: ${missing.join(', ')}`);
  }
  for (const [code, again] of header.repeated) {
    const first = header.columns.get(code) ?? again;
    if (values.some(({ parts, whole }) => whole === first || parts.includes(first))) {
      throw columnTwice(label, `${code}E`, first, again);
    }
  }
  const key = {
    source: 'acs',
    table: table.id,
    year: vintage.year,
    tractVintage: vintage.tractVintage,
    label: acsProduct(vintage, table.id),
    metrics: values.map(({ metric }) => metric),
    preference: table.preference,
  } as const;
  const columns = new Map([...header.columns].map(([code, index]) => [index, tally.column(`${code}E`)]));
  return {
    values,
    layer: new Layer(key, tally),
    columnAt: (index) => columns.get(index) ?? tally.column(''),
    plausibility: createPlausibility(values, header),
  };
}

function addRow(table: TableRows, field: GeoidField, cells: readonly string[]): void {
  const { values, layer, columnAt, plausibility } = table;
  const row = values.map((value) => computeValue(value, cells, layer.tally, columnAt));
  plausibility.add(row, cells);
  layer.add(field.geoid, row, field.padded);
}

/** The estimate, or the parts as a percentage of the whole, with two decimals; NaN if any of them is missing. */
function computeValue(value: LocatedValue, cells: readonly string[], tally: Tally, columnAt: ColumnAt): number {
  const estimate = (column: number): number => readEstimate(cellAt(cells, column), columnAt(column));
  const [first = 0, ...others] = value.parts;
  if (value.whole === undefined && others.length === 0) {
    return checkRange(value.metric, estimate(first), columnAt(first), cellAt(cells, first));
  }
  const count = (column: number): number => checkCount(estimate(column), columnAt(column), cellAt(cells, column));
  const sum = value.parts.reduce((total, column) => total + count(column), 0);
  if (value.whole === undefined) return checkComputed(value.metric, sum, tally);
  const whole = count(value.whole);
  if (Number.isNaN(sum) || Number.isNaN(whole) || whole === 0) return Number.NaN;
  // Multiplied before dividing: a percentage that ends in a 5 is then exact, and rounds as on paper.
  return checkComputed(value.metric, roundTo((100 * sum) / whole, 2), tally);
}

/** Like `checkRange`, for a value that no single column holds: it is accounted for under the metric's name. */
function checkComputed(metric: string, value: number, tally: Tally): number {
  const column = tally.column(`${metric} (computed)`);
  if (!Number.isNaN(value)) column.present++;
  return checkRange(metric, value, column, String(value));
}
