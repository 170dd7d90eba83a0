import { type AddressRange, rangeOf } from '../../bench/lib/address-range.js';
import type { LatLng } from '../../src/core/coordinates.js';
import { stateByFips } from '../../src/core/states.js';
import { pointBeside } from '../../src/core/streets/street-line.js';
import type { AddressFiles } from '../../src/format/addresses/address-files.js';
import type { AddressShard } from '../../src/format/addresses/shard.js';

/** An address in one of a dataset's address ranges. */
export interface SampleAddress {
  readonly address: string;
  /** The middle of the range's line. In the demo and the tiny dataset it lies in the same tract as all the addresses. */
  readonly near: LatLng;
  readonly range: AddressRange;
}

/** At most `count` addresses, spread evenly over the dataset's ranges, with varying house numbers. */
export function sampleAddresses({ addresses }: { readonly addresses: AddressFiles | undefined }, count: number) {
  if (!addresses) throw new Error('the dataset holds no address ranges');
  const rows = addresses.shards.flatMap((shard) =>
    Array.from({ length: shard.rangeCount }, (_, row) => ({ shard, row })),
  );
  return Array.from({ length: Math.min(count, rows.length) }, (_, index): SampleAddress => {
    const found = rows[Math.floor((index * rows.length) / Math.min(count, rows.length))];
    if (!found) throw new Error('a dataset without ranges');
    const range = rangeOf(found.shard, found.row);
    const near = pointBeside(range.line, 0.5, range.side, 0);
    return { address: addressOf(found.shard, range, index), near, range };
  });
}

function addressOf(
  { zips, stateFips }: AddressShard,
  { street, prefix, from, to, zip }: AddressRange,
  salt: number,
): string {
  const numbers = Math.abs(to - from) / 2 + 1;
  const houseNumber = Math.min(from, to) + 2 * ((salt * 17) % numbers);
  const city = zips.mainCityOf(zips.find(Number(zip)));
  const place = city < 0 ? [] : [zips.cityName(city)];
  return [`${prefix}${houseNumber} ${street}`, ...place, `${stateByFips(stateFips)?.abbreviation} ${zip}`].join(', ');
}
