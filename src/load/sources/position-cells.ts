import type { LatLng } from '../../core/coordinates.js';
import type { ColumnTally, Tally } from '../intake/tally.js';
import { cellAt } from './columns.js';
import { type MissingRule, parseDecimal } from './number-cell.js';
import { positionFault } from './position-fault.js';

/** The indexes of the latitude and longitude columns. */
export interface PositionColumns {
  readonly lat: number;
  readonly lng: number;
}

/** What a row's two cells hold: a position, nothing, or something that cannot be a position. */
export type PositionCells =
  | { readonly point: LatLng }
  | { readonly missing: true }
  | { readonly fault: string; readonly text: string };

export const NO_COORDINATES = 'no coordinates';

const isMissing: MissingRule = (text) => /^(|-|none|null|nan|#?n\/?a|\\n)$/i.test(text);

/** Reads both cells. If only one of them is empty, that is a fault: the position has lost its other half. */
export function readPosition(
  row: { text(column: number | undefined): string },
  { lat, lng }: PositionColumns,
): PositionCells {
  const [latText, lngText] = [row.text(lat), row.text(lng)];
  if (isMissing(latText) && isMissing(lngText)) return { missing: true };
  const point = { lat: parseDecimal(latText) ?? Number.NaN, lng: parseDecimal(lngText) ?? Number.NaN };
  const fault = positionFault(point);
  return fault === undefined ? { point } : { fault, text: `${latText},${lngText}` };
}

/**
 * One account for both columns, because neither means anything without the other. Positions are optional: what has none is
 * placed by its address or ZIP.
 */
export function positionColumn(tally: Tally, header: readonly string[], { lat, lng }: PositionColumns): ColumnTally {
  const column = tally.column(`${cellAt(header, lat)},${cellAt(header, lng)}`);
  column.optional = true;
  return column;
}

/**
 * The position of a row that is kept even without one. Undefined if there is none: empty cells are noted, and anything else
 * is counted as unreadable.
 */
export function takePosition(cells: PositionCells, account: ColumnTally): LatLng | undefined {
  if ('missing' in cells) {
    account.tally.note(NO_COORDINATES);
    return undefined;
  }
  account.present++;
  if ('point' in cells) return cells.point;
  account.misread(`${cells.fault}, not used`, cells.text);
  return undefined;
}
