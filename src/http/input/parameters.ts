import { z } from 'zod';
import type { LatLngBox } from '../../core/coordinates.js';
import { GEOID_PATTERN, type Geoid, parseGeoid, STATE_FIPS_PATTERN } from '../../core/geoid.js';
import { type ParsingIssueType, parsingIssue } from './validation.js';

/** Schemas for URL parameters: they turn texts into numbers, booleans and GEOIDs. */

const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Allows a fraction of zeros, because clients in languages with a single number type may write `25.0`. */
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

/** A text that `read` converts; if that returns undefined, the result is an issue of the given type. */
function parsed<T>(type: ParsingIssueType, read: (text: string) => T | undefined) {
  return z.string().transform((text, context) => {
    const value = read(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', params: parsingIssue(type) });
    return z.NEVER;
  });
}

/** Accepts decimal notation only: not `NaN`, `Infinity`, hexadecimal, the empty text or numbers that overflow. */
function readNumber(text: string, pattern: RegExp): number | undefined {
  if (!pattern.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** A number within the bounds of the schema `within`. */
export function float(within: z.ZodNumber) {
  return parsed('float_parsing', (text) => readNumber(text, FLOAT)).pipe(within);
}

/** A whole number within the bounds of the schema `within`. */
export function integer(within: z.ZodNumber) {
  return parsed('int_parsing', (text) => readNumber(text, INTEGER)).pipe(within);
}

/** Checks bounds first, so that an out-of-range number gets no further issue, such as zod's about unsafe integers. */
function wholeNumber(least: number, most: number) {
  return z.number().gte(least, { abort: true }).lte(most, { abort: true }).int();
}

/** true/false, 1/0, yes/no, on/off, in any case. */
export function boolean() {
  return parsed('bool_parsing', (text) => BOOLEANS.get(text.toLowerCase())).pipe(z.boolean());
}

/** Degrees. */
export const latitude = float(z.number().gte(-90).lte(90)).meta({
  description: 'Latitude in degrees, NAD83 or WGS84.',
});
export const longitude = float(z.number().gte(-180).lte(180)).meta({ description: 'Longitude in degrees.' });

/** A tract's GEOID: 11 digits. */
export const geoid = z
  .string()
  .regex(GEOID_PATTERN)
  .pipe(z.custom<Geoid>((text) => typeof text === 'string' && parseGeoid(text) !== undefined))
  // JSON Schema cannot express the custom check.
  .meta({
    type: 'string',
    pattern: GEOID_PATTERN.source,
    description: '11-digit GEOID of a 2020 census tract.',
  });

/** A state's FIPS code: two digits. */
export const stateFips = z.string().regex(STATE_FIPS_PATTERN);

/** The number of entries on a page: at most `most`, and `usual` by default. */
export function pageLimit(most: number, usual: number) {
  return integer(wholeNumber(1, most)).meta({ description: 'Maximum number of entries on a page.' }).default(usual);
}

/** The number of features of a map, which has no pages. */
export const mapLimit = integer(wholeNumber(1, 2000)).meta({ description: 'Maximum number of features.' }).default(500);

/** The number of entries to skip before a page; a page past the last entry is empty. */
export function pageOffset(most = Number.MAX_SAFE_INTEGER) {
  return integer(wholeNumber(0, most)).meta({ description: 'Number of entries to skip before the page.' }).default(0);
}

/** The most addresses of one batch. */
export const ADDRESSES_MAX = 50;

/** The greatest radius around a point. */
export const RADIUS_MAX_MILES = 50;

/** A search radius in statute miles. */
export function radiusMiles(usual: number) {
  return float(z.number().gt(0).lte(RADIUS_MAX_MILES))
    .meta({ description: 'Radius around the point in statute miles.' })
    .default(usual);
}

const BBOX = /^[^,]+,[^,]+,[^,]+,[^,]+$/;

/** A rectangle as `west,south,east,north` in degrees; west is greater than east where it crosses the antimeridian. */
export const boundingBox = z
  .string()
  .transform((text, context): LatLngBox => {
    const [west, south, east, north] = BBOX.test(text)
      ? text.split(',').map((part) => readNumber(part.trim(), FLOAT))
      : [];
    const wrong = (message: string): never => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (west === undefined || south === undefined || east === undefined || north === undefined) {
      return wrong('bbox should be four numbers: west,south,east,north');
    }
    if (Math.abs(west) > 180 || Math.abs(east) > 180) return wrong('west and east should be from -180 to 180');
    if (Math.abs(south) > 90 || Math.abs(north) > 90) return wrong('south and north should be from -90 to 90');
    if (south >= north) return wrong('south should be less than north');
    if (west === east) return wrong('west and east should differ');
    return { west, south, east, north };
  })
  .meta({
    type: 'string',
    description:
      '`west,south,east,north` in degrees. West is greater than east in a box that crosses the antimeridian.',
  });

/**
 * Requires a place: either both coordinates, or `other`, the value of another parameter. If only one coordinate is given,
 * the other one is reported as missing; if no place is given at all, `message` says what is expected.
 */
export function requirePlace(
  context: z.core.$RefinementCtx,
  { lat, lng }: { readonly lat?: number | undefined; readonly lng?: number | undefined },
  other: string | undefined,
  message: string,
): void {
  if (lat === undefined && lng === undefined) {
    if (other === undefined) context.addIssue({ code: 'custom', message });
    return;
  }
  const missing = lat === undefined ? 'lat' : lng === undefined ? 'lng' : undefined;
  if (missing) context.addIssue({ code: 'custom', path: [missing], params: parsingIssue('missing') });
}
