import { firstAtLeast } from '../../core/first-at-least.js';
import type { ContainerReader } from '../container-reader.js';
import { requireAscending } from '../require-ascending.js';
import { openTextTable } from '../text-table.js';
import type { ZipTable } from './shard.js';

/** Opens the sections of ZIPs and cities in place. */
export function openZipTable(container: ContainerReader): ZipTable {
  const codes = container.uint32('zip/code');
  const firstCities = container.uint32('zip/first-city', codes.length + 1);
  const cities = container.uint32('zip/city');
  requireAscending(container, 'zip/first-city', firstCities, cities.length);
  const firstZips = container.uint32('city/first-zip');
  const cityZips = container.uint32('city/zip');
  requireAscending(container, 'city/first-zip', firstZips, cityZips.length);
  const cityCount = firstZips.length - 1;
  const keys = openTextTable(container, 'city/key', cityCount);
  const names = openTextTable(container, 'city/name', cityCount);
  return {
    codes,
    centers: container.int32('zip/centre', codes.length * 2),
    cityCount,
    find: (code) => {
      const at = firstAtLeast(codes, code);
      return codes[at] === code ? at : -1;
    },
    findCity: (key) => {
      let [low, high] = [0, cityCount];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (keys.compare(middle, key) >= 0) high = middle;
        else low = middle + 1;
      }
      return low < cityCount && keys.has(low, key) ? low : -1;
    },
    findCityOf: (zip, key) => {
      const end = firstCities[zip + 1] ?? 0;
      for (let at = firstCities[zip] ?? 0; at < end; at++) if (keys.has(cities[at] ?? 0, key)) return cities[at] ?? -1;
      return -1;
    },
    mainCityOf: (zip) => {
      const first = firstCities[zip] ?? 0;
      return first < (firstCities[zip + 1] ?? 0) ? (cities[first] ?? -1) : -1;
    },
    zipsOf: (city) => cityZips.subarray(firstZips[city], firstZips[city + 1]),
    cityKey: keys.text,
    cityName: names.text,
  };
}
