import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { geoidFromNumber } from '../../src/core/geoid.js';
import { roundTo } from '../../src/core/rounding.js';
import { openDataset } from '../../src/format/dataset.js';
import type { TractsFile } from '../../src/format/tracts-file.js';
import { COMPARED_COLUMNS, comparedValue } from '../../src/query/areas.js';
import { pointsWithin, type WithinQuery } from '../../src/query/around/points-within.js';
import { nearbyBody } from '../../src/query/nearby.js';
import { anyText } from '../support/any-text.js';
import { searchableTracts } from '../support/searchable-tracts.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset, TINY_TRACTS } from '../support/tiny-dataset.js';

type Columns = Pick<TractsFile, 'geoids' | 'lats' | 'lngs' | 'names' | 'values' | 'pointIndex'>;

/** The answer to a nearby search as objects, made of columns: what the finished summaries of the file must say, too. */
function nearbyObjects(tracts: Columns, query: WithinQuery) {
  const { lats, lngs, pointIndex } = tracts;
  const { total, page } = pointsWithin({ lats, lngs, trees: [{ index: pointIndex }] }, query);
  const { center, radiusMiles, limit, offset } = query;
  return {
    center: { lat: center.lat, lng: center.lng },
    radius_miles: radiusMiles,
    count: page.length,
    total,
    offset,
    limit,
    tracts: page.map(({ row, distanceMiles }) => ({
      geoid: geoidFromNumber(tracts.geoids[row] ?? Number.NaN),
      name: tracts.names.text(row),
      distance_miles: roundTo(distanceMiles, 2),
      ...Object.fromEntries(COMPARED_COLUMNS.map(({ key }, at) => [key, comparedValue(tracts, row, at)])),
    })),
  };
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const tract = fc.record({
  geoid: fc.integer({ min: 1_001_000_000, max: 99_999_999_999 }),
  name: fc.oneof(anyText(), fc.constantFrom('Doña Ana', '"\\\n', ']}')),
  lat: fc.integer({ min: 400, max: 410 }).map((tenths) => tenths / 10),
  lng: fc.double({ min: -101, max: -100, noNaN: true }),
  value: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(Number.NaN), fc.integer()),
});

test('the body is byte for byte what JSON.stringify makes of the answer', () => {
  const property = fc.property(
    fc.uniqueArray(tract, { selector: ({ geoid }) => geoid, minLength: 1, maxLength: 40 }),
    fc.record({
      center: fc.record({ lat: fc.constantFrom(40, -0, 40.5), lng: fc.constantFrom(-100, -100.123456789, 0) }),
      radiusMiles: fc.constantFrom(0.1, 5, 50),
      limit: fc.integer({ min: 1, max: 50 }),
      offset: fc.nat(10),
    }),
    (tracts, query) => {
      const opened = searchableTracts(tracts.toSorted((one, other) => one.geoid - other.geoid));
      expect(text(nearbyBody(opened, query))).toBe(JSON.stringify(nearbyObjects(opened, query)));
    },
  );
  fc.assert(property, { numRuns: 150 });
});

test('the body comes from the file, in a buffer to itself', () => {
  const directory = temporaryDirectory();
  const { tracts, release } = openDataset(join(directory, 'generations', publishTinyDataset(directory)));
  onTestFinished(release);
  const [first] = TINY_TRACTS;
  const query = { center: first ?? expect.fail(), radiusMiles: 50, limit: 25, offset: 2 };
  const body = nearbyBody(tracts, query);
  expect(JSON.parse(text(body))).toMatchObject({ count: 25, offset: 2, limit: 25 });
  expect(text(body)).toBe(JSON.stringify(nearbyObjects(tracts, query)));
  expect(body.buffer.byteLength).toBe(body.byteLength);
});
