import { stateByFips } from '../../core/states.js';
import { type AddressShard, UNKNOWN_ZIP } from '../../format/addresses/shard.js';
import type { Candidate } from './candidates.js';

/** `123 Samplewood Ave, Sampleton, DE 19901`: with the city that the address names, else the main city of the ZIP. */
export function standardAddress({ shard, run, number, city }: Candidate): string {
  const street = shard.streetName(shard.runStreets[run] ?? 0);
  return joinAddress(shard, `${number.written} ${street}`, shard.runZips[run] ?? UNKNOWN_ZIP, city);
}

/** `<line>, <city>, <state> <ZIP>`, leaving out what is unknown. */
export function joinAddress(shard: AddressShard, line: string, zip: number, city = -1): string {
  const at = shard.zips.find(zip);
  const known = city >= 0 || at < 0 ? city : shard.zips.mainCityOf(at);
  const state = stateByFips(shard.stateFips)?.abbreviation ?? '';
  const ending = zip === UNKNOWN_ZIP ? state : `${state} ${String(zip).padStart(5, '0')}`;
  let address = line;
  for (const part of [known < 0 ? '' : shard.zips.cityName(known), ending]) if (part !== '') address += `, ${part}`;
  return address;
}
