import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { METRICS } from '../../src/core/metrics.js';
import { bytesInMemory } from '../../src/format/byte-source.js';
import { openContainer } from '../../src/format/container-reader.js';
import { writeContainer } from '../../src/format/container-writer.js';
import { openDataset } from '../../src/format/dataset.js';
import { buildPointIndex, openPointIndex } from '../../src/format/point-index.js';
import { openSummaries, summarySections } from '../../src/format/summaries.js';
import { nearbyBody } from '../../src/query/nearby.js';
import { nearbyObjects } from '../support/nearby-objects.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { textTable } from '../support/text-table.js';
import { publishTinyDataset, TINY_TRACTS } from '../support/tiny-dataset.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const tract = fc.record({
  geoid: fc.integer({ min: 1_001_000_000, max: 99_999_999_999 }),
  name: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('Doña Ana', '"\\\n', ']}')),
  lat: fc.integer({ min: 400, max: 410 }).map((tenths) => tenths / 10),
  lng: fc.double({ min: -101, max: -100, noNaN: true }),
  value: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(Number.NaN), fc.integer()),
});

test('the body is byte for byte what JSON.stringify makes of the answer', () => {
  const directory = temporaryDirectory();
  let tries = 0;
  const property = fc.property(
    fc.uniqueArray(tract, { selector: ({ geoid }) => geoid, minLength: 1, maxLength: 40 }),
    fc.record({
      center: fc.record({ lat: fc.constantFrom(40, -0, 40.5), lng: fc.constantFrom(-100, -100.123456789, 0) }),
      radiusMiles: fc.constantFrom(0.1, 5, 50),
      limit: fc.integer({ min: 1, max: 50 }),
      offset: fc.nat(10),
    }),
    (tracts, query) => {
      const columns = {
        geoids: Float64Array.from(tracts, ({ geoid }) => geoid).sort(),
        lats: Float64Array.from(tracts, ({ lat }) => lat),
        lngs: Float64Array.from(tracts, ({ lng }) => lng),
        values: METRICS.map((_, at) => Float64Array.from(tracts, ({ value }) => value + at)),
      };
      const names = tracts.map(({ name }) => new TextEncoder().encode(name));
      const path = join(directory, String(tries++));
      writeContainer(path, 'summaries', summarySections({ ...columns, names }));
      const container = openContainer(bytesInMemory(path, readFileSync(path)), 'summaries');
      const opened = {
        ...columns,
        names: textTable((row) => tracts[row]?.name ?? expect.fail()),
        pointIndex: openPointIndex(buildPointIndex(columns.lngs, columns.lats)),
        summaries: openSummaries(container, tracts.length),
      };
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
