import { type NumberRange, parseHouseNumber } from '../../../core/streets/house-number.js';
import type { DbfTable } from '../../files/dbf.js';
import type { SideColumns } from './layout.js';

/** The house numbers on one side of a row's street. */
export interface SideRange extends NumberRange {
  readonly prefix: string;
  /** Five digits; empty where unknown. */
  readonly zip: string;
}

/** These stand for an unknown ZIP in the Census Bureau's files. */
const NO_ZIP = new Set(['99999', '00000']);

/**
 * A side's range; `none` if the side has no house numbers, `no range` if they make none. House numbers are text: `P99` and
 * `117-01` have a prefix, which must be the same at both ends.
 */
export function readSide(table: DbfTable, row: number, columns: SideColumns): SideRange | 'none' | 'no range' {
  const [fromText, toText] = [table.cell(row, columns.from), table.cell(row, columns.to)];
  if (fromText === '' && toText === '') return 'none';
  const from = parseHouseNumber(fromText.toUpperCase());
  const to = parseHouseNumber(toText.toUpperCase());
  if (!from || !to || from.prefix !== to.prefix) return 'no range';
  const zip = table.cell(row, columns.zip);
  return {
    prefix: from.prefix,
    from: from.value,
    to: to.value,
    mixed: columns.parity !== undefined && table.cell(row, columns.parity) === 'B',
    zip: /^\d{5}$/.test(zip) && !NO_ZIP.has(zip) ? zip : '',
  };
}
