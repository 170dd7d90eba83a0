import { type Geoid, parseGeoid } from '../../core/geoid.js';

/**
 * Fast readers for parameters in the plain form that nearly all clients send. Whatever they accept, the schemas in
 * parameters.ts accept with the same value; an input for which they return undefined may still be valid.
 */

type Given = string | readonly string[] | undefined;

/** Decimal digits, too few to overflow, with an optional minus sign and fraction. */
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,20})?$/;
const DIGITS = /^\d{1,9}$/;

/** A number within bounds. */
export function plainNumber(text: Given, least: number, most: number): number | undefined {
  if (typeof text !== 'string' || !DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

/** A whole number within bounds; `usual` if the parameter is missing. */
export function plainInteger(text: Given, least: number, most: number, usual: number): number | undefined {
  if (text === undefined) return usual;
  if (typeof text !== 'string' || !DIGITS.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

/** Degrees. */
export const plainLatitude = (text: Given): number | undefined => plainNumber(text, -90, 90);
export const plainLongitude = (text: Given): number | undefined => plainNumber(text, -180, 180);

/** A tract's GEOID. */
export function plainGeoid(text: Given): Geoid | undefined {
  return typeof text === 'string' ? parseGeoid(text) : undefined;
}

/** A text of 1 to `most` UTF-16 code units. */
export function plainText(text: Given, most: number): string | undefined {
  return typeof text === 'string' && text.length > 0 && text.length <= most ? text : undefined;
}
