import { type NumberRange, parseHouseNumber } from '../../../core/streets/house-number.js';
import type { DbfTable } from '../../files/dbf.js';
import { readZip } from '../../providers/text/zip-code.js';
import type { SideColumns } from './layout.js';

/** The house numbers on one side of a row's street. */
export interface SideRange extends NumberRange {
  readonly prefix: string;
  /** Five digits; empty where unknown. */
  readonly zip: string;
  /** Whether the ZIP had lost its leading zeros. */
  readonly repairedZip: boolean;
}

/** These stand for an unknown ZIP in the Census Bureau's files. */
const NO_ZIP = new Set(['99999', '00000']);

/**
 * A side's range; `none` if the side has no house numbers, `no range` if they make none. House numbers are text: `P99` and
 * `117-01` have a prefix, which must be the same at both ends. `state` is the county's, in two letters.
 */
export function readSide(
  table: DbfTable,
  row: number,
  columns: SideColumns,
  state: string | null,
): SideRange | 'none' | 'no range' {
  const [fromText, toText] = [table.cell(row, columns.from), table.cell(row, columns.to)];
  if (fromText === '' && toText === '') return 'none';
  const from = parseHouseNumber(fromText.toUpperCase());
  const to = parseHouseNumber(toText.toUpperCase());
  if (!from || !to || from.prefix !== to.prefix) return 'no range';
  const { zip, repaired } = readZip(table.cell(row, columns.zip), state) ?? { zip: '', repaired: false };
  const isKnown = zip !== '' && !NO_ZIP.has(zip);
  return {
    prefix: from.prefix,
    from: from.value,
    to: to.value,
    mixed: columns.parity !== undefined && table.cell(row, columns.parity) === 'B',
    zip: isKnown ? zip : '',
    repairedZip: isKnown && repaired,
  };
}
