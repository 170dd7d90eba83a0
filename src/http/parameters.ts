import { z } from 'zod';
import { type Geoid, parseGeoid } from '../core/geoid.js';
import { type ParsingIssueType, parsingIssue } from './validation.js';

/** Schemas for parameters as they stand in a URL: texts that become numbers, booleans and GEOIDs. */

const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** A fraction of zeros is allowed, as clients in languages with one number type write whole numbers so. */
const INTEGER = /^[+-]?\d+(?:\.0*)?$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

/** A text read by `read`; undefined from it is an issue of the given type. */
function parsed<T>(type: ParsingIssueType, read: (text: string) => T | undefined) {
  return z.string().transform((text, context) => {
    const value = read(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', params: parsingIssue(type) });
    return z.NEVER;
  });
}

/** Decimal notation only: `NaN`, `Infinity`, hexadecimal, the empty text and what overflows are no numbers. */
function readNumber(text: string, pattern: RegExp): number | undefined {
  if (!pattern.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** A number within the bounds of `within`. */
export function float(within: z.ZodNumber) {
  return parsed('float_parsing', (text) => readNumber(text, FLOAT)).pipe(within);
}

/** A whole number within the bounds of `within`. */
export function integer(within: z.ZodNumber) {
  return parsed('int_parsing', (text) => readNumber(text, INTEGER)).pipe(within);
}

/** true/false, 1/0, yes/no, on/off, in any case. */
export function boolean() {
  return parsed('bool_parsing', (text) => BOOLEANS.get(text.toLowerCase())).pipe(z.boolean());
}

/** Degrees. */
export const latitude = float(z.number().gte(-90).lte(90));
export const longitude = float(z.number().gte(-180).lte(180));

/** A tract's GEOID: 11 digits. */
export const geoid = z
  .string()
  .regex(/^\d{11}$/)
  .pipe(z.custom<Geoid>((text) => typeof text === 'string' && parseGeoid(text) !== undefined));
