/**
 * A census tract's GEOID: state FIPS (2) + county FIPS (3) + tract code (6), as text, because leading zeros count.
 * Source: https://www.census.gov/programs-surveys/geography/guidance/geo-identifiers.html
 */
export type Geoid = string & { readonly __brand: 'Geoid' };

export const GEOID_PATTERN = /^\d{11}$/;
/** The form of a state FIPS code: two digits, whether or not there is such a state. */
export const STATE_FIPS_PATTERN = /^\d{2}$/;

/** The text as a GEOID, or undefined if it is not exactly 11 digits. */
export function parseGeoid(text: string): Geoid | undefined {
  // The cast is safe: the pattern has just been checked.
  return GEOID_PATTERN.test(text) ? (text as Geoid) : undefined;
}

/** The GEOID as the integer that compiled files sort and search by; 11 digits stay exact in a double. */
export function geoidToNumber(geoid: Geoid): number {
  return Number(geoid);
}

/** The inverse of {@link geoidToNumber}. */
export function geoidFromNumber(value: number): Geoid {
  // The cast is safe: the number was made from a Geoid, and the padding restores its 11 digits.
  return String(value).padStart(11, '0') as Geoid;
}

export const stateFipsOf = (geoid: Geoid): string => geoid.slice(0, 2);
export const countyFipsOf = (geoid: Geoid): string => geoid.slice(2, 5);
/** The county's FIPS code of five digits, the state's included. */
export const countyKey = (geoid: Geoid): string => geoid.slice(0, 5);
export const tractCodeOf = (geoid: Geoid): string => geoid.slice(5);
/** Whether the tract is of water alone, as its code says. */
export const isWaterOnly = (geoid: Geoid): boolean => tractCodeOf(geoid).startsWith('99');

/**
 * The tract's number as the Census Bureau prints it: the code's first four digits without leading zeros, then the
 * suffix unless it is 00. `000101` is `1.01`, `980000` is `9800`.
 */
export function tractNumber(tractCode: string): string {
  const base = String(Number(tractCode.slice(0, 4)));
  const suffix = tractCode.slice(4);
  return suffix === '00' ? base : `${base}.${suffix}`;
}
