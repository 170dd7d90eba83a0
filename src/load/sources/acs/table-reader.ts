import { roundTo } from '../../../core/rounding.js';
import type { Example } from '../../example.js';
import type { GeoidField } from '../../geoid-field.js';
import { InputError } from '../../input.js';
import { Layer } from '../../layer.js';
import type { LoadSink } from '../../model.js';
import type { ColumnTally, Tally } from '../../tally.js';
import { cellAt, columnTwice } from '../columns.js';
import { isWanted } from '../tract-field.js';
import { isNamedOtherwise, rejectNamedOtherwise } from '../tract-name.js';
import { checkRange } from '../value-range.js';
import { readEstimate } from './cells.js';
import { type AcsHeader, type LocatedValue, locate, tablesOf } from './columns.js';
import type { AcsTable } from './tables.js';
import { type AcsVintage, acsProduct } from './vintage.js';

/** Takes the rows of one file for every table in it. */
export interface AcsRows {
  /** Says which row of the file comes, as in an {@link Example}. */
  at(row: number): void;
  /**
   * Counts a row; it is rejected where its GEOID, in the file `published`, is not one (undefined) or another tract's than
   * the one that it is named as, and left out where its state is not wanted. The name is empty where the file has none.
   */
  add(field: GeoidField | undefined, cells: readonly string[], published: string, name: string): void;
  reject(reason: string, example?: Example): void;
  leave(reason: string): void;
  /** Hands the layers over. */
  finish(): void;
}

/** What an {@link AcsRows} is made of. */
export interface AcsRowsOptions {
  readonly label: string;
  readonly header: AcsHeader;
  readonly vintage: AcsVintage;
  /** Whether the file may hold a part of a table's metrics only, as an API query does. */
  readonly partial: boolean;
}

/** The account of the column at a position. */
type ColumnAt = (index: number) => ColumnTally;

interface TableRows {
  /** The columns of the metrics that the file holds, in the layer's order. */
  readonly values: readonly LocatedValue[];
  readonly layer: Layer;
  readonly columnAt: ColumnAt;
}

/** Throws `InputError` where no table has the columns that it needs. */
export function createAcsRows(options: AcsRowsOptions, sink: LoadSink): AcsRows {
  const tables = tablesOf(options.header).map((table) => tableRows(table, options, sink));
  if (tables.length === 0) throw new InputError(`${options.label}: columns missing: no estimate of a table used here`);
  const each = (account: (tally: Tally) => void): void => {
    for (const { layer } of tables) {
      layer.tally.read++;
      account(layer.tally);
    }
  };
  return {
    at: (row) => {
      for (const { layer } of tables) layer.tally.row = row;
    },
    add(field, cells, published, name) {
      for (const { values, layer, columnAt } of tables) {
        layer.tally.read++;
        if (!field) layer.tally.reject('not a tract GEOID', { value: published });
        else if (!isWanted(field, sink, layer.tally)) continue;
        else if (isNamedOtherwise(field.geoid, name)) rejectNamedOtherwise(layer.tally, field.geoid, 'NAME', name);
        else addRow(layer, field, values, cells, columnAt);
      }
    },
    reject: (reason, example) => each((tally) => tally.reject(reason, example)),
    leave: (reason) => each((tally) => tally.leave(reason)),
    finish: () => {
      for (const { layer } of tables) {
        layer.tally.row = 0;
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
  return { values, layer: new Layer(key, tally), columnAt: (index) => columns.get(index) ?? tally.column('') };
}

function addRow(
  layer: Layer,
  field: GeoidField,
  values: readonly LocatedValue[],
  cells: readonly string[],
  columnAt: ColumnAt,
): void {
  const row = values.map((value) => computeValue(value, cells, layer.tally, columnAt));
  layer.add(field.geoid, row, field.padded);
}

/** The estimate, or the percentage with two decimals that the parts are of the whole; NaN where any of it is missing. */
function computeValue(value: LocatedValue, cells: readonly string[], tally: Tally, columnAt: ColumnAt): number {
  const estimate = (column: number): number => readEstimate(cellAt(cells, column), columnAt(column));
  const sum = value.parts.reduce((total, column) => total + estimate(column), 0);
  const [first = 0, ...others] = value.parts;
  if (value.whole === undefined && others.length === 0) {
    return checkRange(value.metric, sum, columnAt(first), cellAt(cells, first));
  }
  if (value.whole === undefined) return checkComputed(value.metric, sum, tally);
  const whole = estimate(value.whole);
  if (Number.isNaN(sum) || Number.isNaN(whole) || whole === 0) return Number.NaN;
  // Multiplied first: a share that ends in a 5 then has its exact decimal, and rounds as on paper.
  return checkComputed(value.metric, roundTo((100 * sum) / whole, 2), tally);
}

/** As `checkRange`, for what no column holds: it is accounted for under the metric's name. */
function checkComputed(metric: string, value: number, tally: Tally): number {
  const column = tally.column(`${metric} (computed)`);
  if (!Number.isNaN(value)) column.present++;
  return checkRange(metric, value, column, String(value));
}
