import { parseStreetText } from '../../core/streets/street-name.js';
import { packDirections } from '../../format/addresses/packed-columns.js';
import type { AddressShard } from '../../format/addresses/shard.js';

/**
 * The streets that this version of the program reads otherwise than the one that compiled them: who writes their names as
 * published may not find them until they are compiled again. O(ranges).
 */
export function streetsReadOtherwise(shard: AddressShard): string[] {
  const { nameRuns, runStreets, streetDirections } = shard;
  const streets = new Set<number>();
  for (let name = 0; name + 1 < nameRuns.length; name++) {
    const key = shard.nameKey(name);
    for (const street of new Set(runStreets.subarray(nameRuns[name], nameRuns[name + 1]))) {
      const read = parseStreetText(shard.streetName(street));
      const isSame =
        read?.key === key &&
        packDirections(read.before, read.after) === streetDirections[street] &&
        read.type === shard.streetType(street);
      if (!isSame) streets.add(street);
    }
  }
  return [...streets].sort((one, other) => one - other).map((street) => shard.streetName(street));
}
