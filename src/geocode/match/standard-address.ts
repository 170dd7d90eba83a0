import { abbreviationOf } from '../../core/states.js';
import { type AddressShard, UNKNOWN_ZIP } from '../../format/addresses/shard.js';
import { addressLine } from '../address-line.js';
import { zipText } from '../parse/zip.js';
import type { Candidate } from './candidates.js';

/** `123 Samplewood Ave, Sampleton, DE 19901`: with the city that the address names, else the main city of the ZIP. */
export function standardAddress({ shard, run, number, city }: Candidate): string {
  const street = shard.streetName(shard.runStreets[run] ?? 0);
  return joinAddress(shard, `${number.written} ${street}`, shard.runZips[run] ?? UNKNOWN_ZIP, city);
}

/** A line of streets with city, state and ZIP behind it, as far as they are known. */
export function joinAddress(shard: AddressShard, line: string, zip: number, city = -1): string {
  const at = shard.zips.find(zip);
  const known = city >= 0 || at < 0 ? city : shard.zips.mainCityOf(at);
  const cityName = known < 0 ? '' : shard.zips.cityName(known);
  return addressLine(line, cityName, abbreviationOf(shard.stateFips), zip === UNKNOWN_ZIP ? '' : zipText(zip));
}
