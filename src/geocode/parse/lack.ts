import { parseAddress } from './parse-address.js';

/** What an address lacks of what every match needs: a house number and a street, or a ZIP or state to look for it in. */
export type Lack = 'street' | 'place';

/** What an address lacks; undefined if it has everything that a match needs, or names no place on the ground. */
export function lackOf(address: string): Lack | undefined {
  const parsed = parseAddress(address);
  if (parsed.kind === 'unplaceable') return undefined;
  const readings = parsed.kind === 'nothing' ? parsed.otherwise() : parsed.readings;
  if (readings.length === 0) return 'street';
  return readings.every(({ zip, stateFips }) => zip === undefined && stateFips === undefined) ? 'place' : undefined;
}
