import { type Geoid, parseGeoid } from '../../core/geoid.js';

/**
 * Parameters in the plain form in which nearly all clients send them, read without a schema: what these readers take, the
 * schemas in parameters.ts take with the same value. What they give undefined for may still be valid.
 */

type Given = string | readonly string[] | undefined;

/** Decimal digits, as many as stay far from overflow, with or without a sign and a fraction. */
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,20})?$/;
const DIGITS = /^\d{1,9}$/;

/** A number within bounds. */
export function plainNumber(text: Given, least: number, most: number): number | undefined {
  if (typeof text !== 'string' || !DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

/** A whole number within bounds; the usual one where there is none. */
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

/** Text of so many UTF-16 code units at most, and one at least. */
export function plainText(text: Given, most: number): string | undefined {
  return typeof text === 'string' && text.length > 0 && text.length <= most ? text : undefined;
}
