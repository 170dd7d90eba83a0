import type { AddressFiles } from '../../src/format/addresses/address-files.js';

/** A range as the lookup keeps it. */
interface Kept {
  readonly low: number;
  readonly high: number;
  readonly isOdd: boolean;
}

/**
 * The yardstick: what one would write without any tolerance. Addresses are cut at their commas, and street and ZIP are
 * looked up in a Map as they are written; most of the damaged ones are not found.
 */
export function createExactLookup({ shards }: AddressFiles): (address: string) => Kept | undefined {
  const byStreet = new Map<string, Kept[]>();
  for (const shard of shards) {
    for (let row = 0; row < shard.rangeCount; row++) {
      const { street, zip, from, to } = shard.range(row);
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
