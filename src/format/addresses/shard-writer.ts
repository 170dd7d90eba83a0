import type { SectionEntry } from '../container-header.js';
import { numbers, opaque, type SectionContent, writeContainer } from '../container-writer.js';
import type { SectionArray } from '../layout.js';
import { textSections } from '../text-table.js';
import { buildSlots } from './key-hash.js';
import { ADDRESSES_KIND } from './shard.js';
import type { ShardContent } from './shard-builder.js';
import { cutRuns, orderRanges, orderStreets, type RangeColumns } from './shard-content.js';
import { buildSpellingIndex } from './spelling-index.js';

/**
 * Writes a state's address ranges. Equal contents, added in the same order, give equal bytes. Duplicate rows are written
 * once.
 */
export function writeAddressShard(path: string, content: ShardContent): SectionEntry[] {
  const { ranges, zips } = content;
  const table = orderStreets(content.streets);
  const order = orderRanges(ranges, table);
  const runs = cutRuns(order, ranges, table);
  const spelling = buildSpellingIndex(table.keys);
  return writeContainer(path, ADDRESSES_KIND, [
    numbers('state', Uint8Array.of(Number(content.stateFips))),
    ...textSections('name/key', table.keys),
    numbers('name/slot', buildSlots(table.keys)),
    numbers('name/first-run', runs.names),
    numbers('spelling/hash', spelling.hashes),
    numbers('spelling/name', spelling.rows),
    ...textSections('street/name', table.names),
    numbers('street/direction', table.directions),
    numbers('street/type', table.typeOf),
    ...textSections('type', table.types),
    numbers('run/street', runs.streets),
    numbers('run/zip', runs.zips),
    numbers('run/prefix', runs.prefixes),
    numbers('run/first-range', runs.ranges),
    ...textSections('prefix', content.prefixes),
    ...rangeSections(order, ranges),
    numbers('edge/offset', content.edgeOffsets),
    opaque('edge/line', content.edgeBytes),
    numbers('zip/code', zips.codes),
    numbers('zip/centre', zips.centers),
    numbers('zip/first-city', zips.firstCities),
    numbers('zip/city', zips.cities),
    ...textSections('city/key', zips.cityKeys),
    ...textSections('city/name', zips.cityNames),
    numbers('city/first-zip', zips.firstZips),
    numbers('city/zip', zips.zipsOfCities),
  ]);
}

function rangeSections(order: Uint32Array, ranges: RangeColumns): SectionContent[] {
  const ordered = <T extends SectionArray>(target: T, column: T, width: number): T => {
    order.forEach((row, position) => {
      for (let at = 0; at < width; at++) target[position * width + at] = column[row * width + at] ?? 0;
    });
    return target;
  };
  return [
    numbers('range/number', ordered(new Int32Array(order.length * 2), ranges.numbers, 2)),
    numbers('range/edge', ordered(new Uint32Array(order.length), ranges.edges, 1)),
    numbers('range/tract', ordered(new Uint32Array(order.length), ranges.tracts, 1)),
  ];
}
