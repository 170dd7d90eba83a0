import { stateFipsOf } from '../../core/geoid.js';
import { stateByFips } from '../../core/states.js';
import type { LoadSink } from '../intake/load-sink.js';
import type { Tally } from '../intake/tally.js';
import { type GeoidField, readGeoidField } from './geoid-field.js';

/** Reads a GEOID field as a tract of an existing state, wanted or not; undefined for anything else. */
export function readTractField(text: string): GeoidField | undefined {
  const field = readGeoidField(text);
  return field && stateByFips(stateFipsOf(field.geoid)) ? field : undefined;
}

/** `10001040100.0` and `10,001,040,100`. */
const AS_NUMBER = /^(?:\d+\.0*|\d{1,3}(?:,\d{3})+(?:\.0*)?)$/;
/** `1.0001E+10`. */
const ROUNDED = /^\d(?:[.,]\d+)?e\+?(\d{1,2})$/i;

/** Of a code that a spreadsheet has made a number of, how many digits that has; undefined for other texts. */
export function digitsOfSpoiled(text: string): number | undefined {
  if (AS_NUMBER.test(text)) return text.replaceAll(',', '').split('.')[0]?.length;
  const power = ROUNDED.exec(text)?.[1];
  return power === undefined ? undefined : Number(power) + 1;
}

/** What a spreadsheet has made of a code of this kind, and what to do; undefined for other texts. */
export function whySpoiled(text: string, kind = 'GEOID'): string | undefined {
  if (AS_NUMBER.test(text)) return `${kind} turned into a number, as by a spreadsheet: save its column as text`;
  return ROUNDED.test(text) ? `${kind} rounded, as by a spreadsheet: download the file again` : undefined;
}

/** Whether a text is what a spreadsheet has made of a GEOID: 11 digits are left of it, or 10 if it lost its leading zero. */
export const isSpoiledGeoid = (text: string): boolean => [10, 11].includes(digitsOfSpoiled(text) ?? 0);

/** Why a row is rejected whose text is no tract's GEOID: what spreadsheets make of one is named, with what to do. */
export function whyNoGeoid(text: string, otherwise = 'not a tract GEOID'): string {
  return (isSpoiledGeoid(text) ? whySpoiled(text) : undefined) ?? otherwise;
}

/** The tract of a row, wanted or not. If the text, from the named column, is no tract's GEOID, the row is rejected. */
export function requireTract(text: string, tally: Tally, column: string | undefined): GeoidField | undefined {
  const field = readTractField(text);
  if (!field) tally.reject(whyNoGeoid(text), { column, value: text });
  return field;
}

/**
 * The tract of a row, if it is wanted. Undefined if not, and the row is then accounted for: rejected if the text, from the
 * named column, is no tract's GEOID, else left out because of its state.
 */
export function takeTract(
  text: string,
  sink: LoadSink,
  tally: Tally,
  column: string | undefined,
): GeoidField | undefined {
  const field = requireTract(text, tally, column);
  return field && isWanted(field, sink, tally) ? field : undefined;
}

/** Whether a tract's state is loaded; if not, counts the row as left out. */
export function isWanted(field: GeoidField, sink: LoadSink, tally: Tally): boolean {
  const reason = sink.leaveOut(stateFipsOf(field.geoid));
  if (reason) tally.leave(reason);
  return reason === undefined;
}
