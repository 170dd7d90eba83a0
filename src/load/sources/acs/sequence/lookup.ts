import { readDelimited } from '../../../files/delimited.js';
import { InputError, type InputFile } from '../../../input.js';
import { type ColumnNames, cellAt, requireColumns } from '../../columns.js';
import { acsTable } from '../tables.js';
import { type AcsVintage, dollarsContradiction } from '../vintage.js';

/** Where a table's columns are in a year's sequence files. */
export interface TablePlace {
  readonly table: string;
  /** 1 to some 130. */
  readonly sequence: number;
  /** The column of the table's first line; 0 is the file's first column. */
  readonly firstColumn: number;
}

/** The lookup's columns: their names of 2013 and later, and of 2011 and before. */
export const LOOKUP_COLUMNS: Readonly<Record<'table' | 'sequence' | 'line' | 'start', ColumnNames>> = {
  table: ['Table ID', 'tblid'],
  sequence: ['Sequence Number', 'seq'],
  line: ['Line Number', 'Line Number Decimal M Lines'],
  start: ['Start Position', 'position'],
};

/** Some years write a dot in an empty cell. */
const NOTHING = new Set(['', '.']);

/**
 * Reads the places of the tables that the loader uses from ACS_5yr_Seq_Table_Number_Lookup.txt: of a table's rows, the one
 * with a start position, which counts from 1. Throws `InputError` naming file and line, also on a lookup of another year,
 * by which values would come from other tables’ columns.
 */
export async function readLookup(file: InputFile, vintage?: AcsVintage): Promise<TablePlace[]> {
  const places: TablePlace[] = [];
  await readDelimited(file, {
    delimiter: ',',
    start: (header) => {
      const columns = requireColumns(file.label, header, LOOKUP_COLUMNS);
      return (cells, row) => {
        const start = cellAt(cells, columns.start);
        const table = acsTable(cellAt(cells, columns.table))?.id;
        if (table === undefined || NOTHING.has(start)) return;
        const sequence = Number(cellAt(cells, columns.sequence));
        if (!/^\d+$/.test(start) || Number(start) < 1 || !Number.isInteger(sequence) || sequence < 1) {
          throw new InputError(`${file.label}, line ${row}: ${table} has no sequence number or start position`);
        }
        const otherYear = vintage && dollarsContradiction(cells, vintage);
        if (otherYear !== undefined) throw new InputError(`${file.label}, line ${row}: ${otherYear}`);
        places.push({ table, sequence, firstColumn: Number(start) - 1 });
      };
    },
  });
  if (places.length === 0) throw new InputError(`${file.label}: it lists no table that is used here`);
  return places;
}
