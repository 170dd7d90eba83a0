import { expect, onTestFinished, test } from 'vitest';
import { rangeOf } from '../../../bench/lib/address-range.js';
import { isOneSlipAway } from '../../../src/core/slips.js';
import { buildSlots, findInSlots } from '../../../src/format/addresses/key-hash.js';
import { createShardBuilder, type NewRange } from '../../../src/format/addresses/shard-builder.js';
import { readAddressShard } from '../../../src/format/addresses/shard-reader.js';
import { MAX_SPELLED_LENGTH } from '../../../src/format/addresses/spelling-index.js';
import { openBuilt } from '../../support/street-files.js';
import { withValue } from '../../support/with-value.js';

const LINE = Int32Array.of(-95_000_000, 45_000_000, -94_999_000, 45_000_500, -94_998_765, 45_001_234);

const range = (given: Partial<NewRange>): NewRange => ({
  street: 'Sample St',
  zip: '55001',
  prefix: '',
  from: 101,
  to: 199,
  mixed: false,
  side: 'left',
  edge: 0,
  tract: 7,
  ...given,
});

function shardOf(ranges: readonly NewRange[], cities: readonly (readonly [string, string])[] = []) {
  const builder = createShardBuilder('27');
  builder.addEdge(LINE);
  builder.addEdge(LINE.toReversed());
  for (const one of ranges) builder.addRange(one);
  for (const [zip, city] of cities) builder.addCity(zip, city);
  const files = openBuilt('27', builder);
  const [shard] = files.shards;
  if (!shard) throw new Error('one file was written');
  onTestFinished(() => shard.container.release());
  return { files, shard };
}

test('ranges are read as they were added: descending, prefixed, without ZIP, on either side, in no tract', () => {
  const ranges = [
    range({}),
    range({ street: 'N Sample St', from: 299, to: 201, side: 'right', zip: '' }),
    range({ street: 'Doña Ana Way', prefix: '37-', from: 1, to: 99, mixed: true, tract: 0xffff_ffff }),
    range({ street: 'Doña Ana Way', from: 0, to: 999_999_999, zip: '00501', edge: 1 }),
  ];
  const { shard } = shardOf(ranges);
  expect(shard.rangeCount).toBe(4);
  const found = Array.from({ length: 4 }, (_, row) => rangeOf(shard, row));
  for (const { edge, ...expected } of ranges) {
    expect(found).toContainEqual({ ...expected, line: edge === 0 ? LINE : LINE.toReversed() });
  }
});

test('more prefixes of house numbers than a file can tell apart are refused, by the name of the state', () => {
  const builder = createShardBuilder('27');
  builder.addEdge(LINE);
  for (let prefix = 1; prefix < 65_536; prefix++) builder.addRange(range({ prefix: `${prefix}-` }));
  expect(() => builder.addRange(range({ prefix: 'P' }))).toThrow(
    'more than 65536 prefixes of house numbers in state 27',
  );
});

test('duplicate ranges are stored once, and the order in which streets are added does not matter', () => {
  const ranges = [range({}), range({ street: 'Zz Rd' }), range({}), range({ street: 'Aa Ave' })];
  const { shard } = shardOf(ranges);
  expect(shard.rangeCount).toBe(3);
  const other = shardOf(ranges.toReversed()).shard;
  expect(other.container.sections.map(({ xxh3 }) => xxh3)).toEqual(shard.container.sections.map(({ xxh3 }) => xxh3));
});

test('a name is found by its key among any number of names, and a missing one is not', () => {
  const streets = Array.from(
    { length: 500 },
    (_, index) => `Sample${String.fromCharCode(97 + (index % 26))} ${index} St`,
  );
  const { shard } = shardOf(streets.map((street) => range({ street })));
  for (const street of streets) {
    const key = street.toUpperCase().replaceAll(' ', '').slice(0, -'ST'.length);
    expect(shard.nameKey(shard.findName(key)), street).toBe(key);
  }
  expect(shard.findName('SAMPLE')).toBe(-1);
  expect(shard.findName('')).toBe(-1);
});

test.each([
  'SAMPLWOOD',
  'SAMPLEEWOOD',
  'SAMPLXWOOD',
  'SAMLPEWOOD',
  'XSAMPLEWOOD',
  'SAMPLEWOO',
  'AMPLEWOOD',
  'SAMPLEWODO',
])('%s is one slip away from SAMPLEWOOD, and found', (written) => {
  const { shard } = shardOf([range({ street: 'Samplewood Ave' }), range({ street: 'Other Ave' })]);
  expect(shard.namesSpelledLike(written).map(shard.nameKey)).toEqual(['SAMPLEWOOD']);
});

test('a slip is looked for in words as long as streets’ names, and not in longer ones, where it would take too long', () => {
  const longest = 'Sample'.repeat(MAX_SPELLED_LENGTH).slice(0, MAX_SPELLED_LENGTH - 1);
  const { shard } = shardOf([range({ street: `${longest} Ave` }), range({ street: `${longest}xy Ave` })]);
  const key = longest.toUpperCase();
  expect(shard.namesSpelledLike(`${key}Z`).map(shard.nameKey)).toEqual([key]);
  expect(shard.namesSpelledLike(`${key}XYZ`)).toEqual([]);
});

test.each([
  ['SAMPLEWOOD', 'SAMPLEWOOD'],
  ['SAMPWOOD', 'SAMPLEWOOD'],
  ['SEMPLEWOAD', 'SAMPLEWOOD'],
  ['MILE5', 'MILE6'],
  ['MILE5', 'MILE'],
  ['12MILE', '21MILE'],
])('%s is not one slip away from %s', (a, b) => {
  expect([isOneSlipAway(a, b), isOneSlipAway(b, a)]).toEqual([false, false]);
});

test('a ZIP’s main city is the most frequent one, in its most frequent spelling', () => {
  const cities = [
    ['55001', 'ST PAUL'],
    ['55001', 'Saint Paul'],
    ['55001', 'Saint Paul'],
    ['55001', 'Aville'],
    ['55999', 'Nowhere'],
    // A placeholder names no city.
    ['55003', '---'],
  ] as const;
  const { shard, files } = shardOf([range({}), range({ zip: '55003' })], cities);
  const { zips } = shard;
  expect(zips.cityName(zips.mainCityOf(zips.find(55_001)))).toBe('Saint Paul');
  expect(zips.mainCityOf(zips.find(55_003))).toBe(-1);
  const known = (key: string) => [zips.findCityOf(zips.find(55_001), key), zips.findCityOf(zips.find(55_003), key)];
  expect([known('SAINTPAUL'), known('AVILLE'), known('NOWHERE')]).toEqual([
    [zips.findCity('SAINTPAUL'), -1],
    [zips.findCity('AVILLE'), -1],
    [-1, -1],
  ]);
  expect(zips.cityName(zips.findCity('AVILLE'))).toBe('Aville');
  // Nothing of the state's ranges is there.
  expect([zips.find(55_999), zips.findCity('NOWHERE')]).toEqual([-1, -1]);
  expect([...zips.zipsOf(zips.findCity('SAINTPAUL'))].map((at) => zips.codes[at])).toEqual([55_001]);
  expect([files.shardsOfZip(55_003), files.shardsOfZip(55_999)]).toEqual([[shard], []]);
});

test('the hash table finds every key and no other, and a search ends even if damage left no slot empty', () => {
  const keys = Array.from({ length: 300 }, (_, at) => `STREET${at}`);
  const find = (slots: Uint32Array, key: string): number => findInSlots(slots, key, (row) => keys[row] === key);
  const slots = buildSlots(keys);
  expect(keys.map((key) => find(slots, key))).toEqual(keys.map((_, row) => row));
  expect(find(slots, 'STREET300')).toBe(-1);
  expect(find(slots.fill(0xffff_ffff), 'STREET300')).toBe(-1);
  expect(find(new Uint32Array(0), 'STREET300')).toBe(-1);
});

test('a line whose end is damaged ends with its section', () => {
  const { shard } = shardOf([range({})]);
  const { line, lineEnds } = readAddressShard(withValue(shard.container, 'edge/offset', 1, 2 ** 31));
  expect(line(0).slice(0, LINE.length)).toEqual(LINE);
  expect(lineEnds(0).slice(0, 2)).toEqual([...LINE.slice(0, 2)]);
  expect(line(1)).toHaveLength(0);
});

test.each(['name/first-run', 'run/first-range', 'zip/first-city'])(
  'positions of %s that descend, or exceed their table, are refused',
  (name) => {
    const ranges = [range({ street: 'Samplewood Ave' }), range({ street: 'Other Ave', zip: '55003' })];
    const cities = [
      ['55001', 'Aville'],
      ['55003', 'Beville'],
    ] as const;
    const { container } = shardOf(ranges, cities).shard;
    const flipped = (at: number, value: number) => withValue(container, name, at, value);
    expect(() => readAddressShard(flipped(0, 0))).not.toThrow();
    for (const [at, value] of [
      [2, 2 ** 29],
      [0, 2],
      [1, 2 ** 29],
    ] as const) {
      expect(() => readAddressShard(flipped(at, value))).toThrow(
        expect.objectContaining({ code: 'bad-index', section: name }),
      );
    }
  },
);
