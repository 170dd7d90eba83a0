import type { AddressFiles } from '../../src/format/addresses/address-files.js';
import { rangeOf } from '../lib/address-range.js';

/** A range of house numbers in the lookup's Map. */
interface Kept {
  readonly low: number;
  readonly high: number;
  readonly isOdd: boolean;
}

/**
 * The yardstick: a lookup without any tolerance. Splits an address at its commas and looks up its street and ZIP in a Map
 * exactly as written; it does not find most damaged addresses.
 */
export function createExactLookup({ shards }: AddressFiles): (address: string) => Kept | undefined {
  const byStreet = new Map<string, Kept[]>();
  for (const shard of shards) {
    for (let row = 0; row < shard.rangeCount; row++) {
      const { street, zip, from, to } = rangeOf(shard, row);
      const key = `${street.toUpperCase()}|${zip}`;
      const kept = { low: Math.min(from, to), high: Math.max(from, to), isOdd: from % 2 === 1 };
      const known = byStreet.get(key);
      if (known) known.push(kept);
      else byStreet.set(key, [kept]);
    }
  }
  return (address) => {
    const parts = address.toUpperCase().split(',');
    const [, number = '', street = ''] = /^(\d+) (.+)$/.exec(parts[0] ?? '') ?? [];
    const value = Number(number);
    const ranges = byStreet.get(`${street}|${address.slice(-5)}`) ?? [];
    return ranges.find(({ low, high, isOdd }) => value >= low && value <= high && isOdd === (value % 2 === 1));
  };
}
