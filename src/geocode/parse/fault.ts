import { parseAddress } from './parse-address.js';

/**
 * Why a text can have no match, whatever the streets: it has no house number with a street, or no ZIP or state to look for
 * them in, or holds several addresses.
 */
export type Fault = 'no street' | 'no place' | 'several';

/** What is amiss with an address; undefined if it has all that a match needs, or names no place on the ground. */
export function faultIn(address: string): Fault | undefined {
  const parsed = parseAddress(address);
  if (parsed.kind === 'unplaceable') return undefined;
  if (parsed.kind === 'nothing' && parsed.isSeveral) return 'several';
  const readings = parsed.kind === 'nothing' ? parsed.otherwise() : parsed.readings;
  if (readings.length === 0) return 'no street';
  return readings.every(({ zip, stateFips }) => zip === undefined && stateFips === undefined) ? 'no place' : undefined;
}
