import { expect, test } from 'vitest';
import { parseGeoid } from '../../../src/core/geoid.js';
import { Tally } from '../../../src/load/intake/tally.js';
import { joinParts } from '../../../src/load/sources/tiger/join-parts.js';

const GEOID = parseGeoid('10001000100');
if (!GEOID) throw new Error('not a GEOID');

test('parts that lie apart are joined with as much work for each, however many they are', () => {
  const readsPerPart = (count: number): number => {
    let reads = 0;
    const records = Array.from({ length: count }, (_, record) => {
      const [west, east] = [record * 20, record * 20 + 10];
      const ring = new Proxy(Int32Array.of(west, 0, west, 10, east, 10, east, 0, west, 0), {
        get: (target, key) => {
          reads++;
          return Reflect.get(target, key);
        },
      });
      return { record, shape: { rings: [ring] } };
    });
    expect(joinParts(records, GEOID, new Tally('tiger', 'TIGER/Line 2020'))).toHaveLength(count);
    return reads / count;
  };
  expect(readsPerPart(200)).toBe(readsPerPart(20));
});
