import type { LatLng } from '../../core/coordinates.js';
import type { ColumnTally, Tally } from '../tally.js';
import { cellAt } from './columns.js';
import { type MissingRule, parseDecimal } from './number-cell.js';
import { positionFault } from './position-fault.js';

/** Where latitude and longitude are. */
export interface PositionColumns {
  readonly lat: number;
  readonly lng: number;
}

/** What a row's two cells hold: a position, none, or what cannot be one. */
export type PositionCells =
  | { readonly point: LatLng }
  | { readonly missing: true }
  | { readonly fault: string; readonly text: string };

export const NO_COORDINATES = 'no coordinates';

const isMissing: MissingRule = (text) => /^(|-|none|null|nan|#?n\/?a|\\n)$/i.test(text);

/** Reads both cells. One of them without the other is no position: it has lost its half. */
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

/** The account of both columns as one: neither says anything without the other. */
export function positionColumn(tally: Tally, header: readonly string[], { lat, lng }: PositionColumns): ColumnTally {
  return tally.column(`${cellAt(header, lat)},${cellAt(header, lng)}`);
}

/**
 * The position of a row that is kept without one, too; undefined where there is none, which is noted, and counted as
 * unreadable where the cells hold anything.
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
