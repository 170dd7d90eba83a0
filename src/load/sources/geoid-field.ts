import { type Geoid, parseGeoid } from '../../core/geoid.js';

/** A GEOID as read from a source's field. */
export interface GeoidField {
  readonly geoid: Geoid;
  /** A missing leading zero has been restored; that was right only if the result is a known tract. */
  readonly padded: boolean;
}

const LOST_ZERO = /^[1-9]\d{9}$/;

/**
 * Reads a GEOID field: 11 digits, or 10 where a spreadsheet dropped the leading zero of a state 01–09. Undefined for
 * anything else (a county, a state, `6.037e9`).
 */
export function readGeoidField(text: string): GeoidField | undefined {
  const trimmed = text.trim();
  const geoid = parseGeoid(trimmed);
  if (geoid) return { geoid, padded: false };
  if (!LOST_ZERO.test(trimmed)) return undefined;
  const padded = parseGeoid(`0${trimmed}`);
  return padded && { geoid: padded, padded: true };
}
