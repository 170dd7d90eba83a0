import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { METRICS, metricIndex, UNRANKED_METRICS } from '../../../src/core/metrics.js';
import { SCOPES } from '../../../src/core/scopes.js';
import { RANK_TENTHS, rankByThresholds } from '../../../src/core/statistics.js';
import { type ContainerReader, openContainer } from '../../../src/format/container-reader.js';
import { writeContainer } from '../../../src/format/container-writer.js';
import type { Area } from '../../../src/format/description.js';
import { computeDistributions } from '../../../src/format/distributions.js';
import { readTractsFile, TRACTS_FILE, TRACTS_KIND } from '../../../src/format/tracts-file.js';
import { bytesInMemory } from '../../support/bytes-in-memory.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { TINY_TRACTS, writeTinyFiles } from '../../support/tiny-dataset.js';

/** The tracts file of the tiny dataset. */
function tinyFile(): Buffer {
  const directory = temporaryDirectory();
  writeTinyFiles(directory);
  return readFileSync(join(directory, TRACTS_FILE));
}

const openTiny = (file = tinyFile()): ContainerReader => openContainer(bytesInMemory(TRACTS_FILE, file), TRACTS_KIND);

/** The same file without some of its sections. */
function withoutSections(isLeftOut: (name: string) => boolean): Buffer {
  const file = tinyFile();
  const kept = openTiny(file).sections.filter(({ name }) => !isLeftOut(name));
  const path = join(temporaryDirectory(), TRACTS_FILE);
  const contents = kept.map(({ name, element, offset, sizeBytes }) => {
    return { name, element, data: file.subarray(offset, offset + sizeBytes) };
  });
  writeContainer(path, TRACTS_KIND, contents);
  return readFileSync(path);
}

test('what is stored of a file is what is computed from its values', () => {
  const { distributions, values, description } = readTractsFile(openTiny());
  expect(distributions()).toEqual(computeDistributions({ values, description }));
});

test('a file that an older program wrote has the same, computed once', () => {
  const container = openTiny(withoutSections((name) => /^(distribution|inhabited|known)\//.test(name)));
  expect(openTiny().sections.length - container.sections.length).toBe(8);
  const older = readTractsFile(container);
  expect(older.distributions()).toEqual(readTractsFile(openTiny()).distributions());
  expect(older.distributions()).toBe(older.distributions());
});

test('a file with only some of these sections is refused', () => {
  const container = openTiny(withoutSections((name) => name === 'known/state'));
  expect(() => readTractsFile(container)).toThrow(expect.objectContaining({ code: 'section-missing' }));
});

test('ranks, means and counts are those of a plain count over the tracts', () => {
  const value = fc.oneof(fc.constantFrom(0, 1, 2, Number.NaN), fc.double({ min: -5, max: 5 }));
  const tract = fc.record({ people: fc.constantFrom(0, 1, Number.NaN), value });
  const area = (fips: number, firstRow: number, tractCount: number): Area => {
    return { fips: String(fips), name: '', firstRow, tractCount };
  };
  fc.assert(
    fc.property(fc.array(fc.array(tract, { minLength: 1, maxLength: 30 }), { maxLength: 4 }), (counties) => {
      const all = counties.flat();
      let row = 0;
      const areas = counties.map(({ length }, at) => {
        row += length;
        return area(at, row - length, length);
      });
      const states = [area(9, 0, all.length)];
      const column = Float64Array.from(all, (each) => each.value);
      const people = Float64Array.from(all, (each) => each.people);
      const values = METRICS.map((_, at) => (at === metricIndex('total_population') ? people : column));
      const made = computeDistributions({ values, description: { counties: areas, states } });

      const known = all.map((each) => each.value).filter((each) => !Number.isNaN(each));
      UNRANKED_METRICS.forEach((_, at) => {
        const thresholds = made.thresholds.subarray(at * RANK_TENTHS, (at + 1) * RANK_TENTHS);
        for (const each of [...known, 0.5, Number.NaN]) {
          const below = known.filter((other) => other < each).length;
          const rank = Number.isNaN(each) ? Number.NaN : Math.round((below * 1000) / known.length);
          expect(rankByThresholds(thresholds, each)).toBe(rank);
        }
        const mean = known.reduce((total, each) => total + each, 0) / known.length;
        expect(made.averages[at]).toEqual(known.length === 0 ? Number.NaN : expect.closeTo(mean, 9));
      });
      const metricAt = metricIndex('poverty_rate');
      const places = { county: counties, state: [all], national: [all] };
      for (const scope of SCOPES) {
        places[scope].forEach((tracts, areaAt) => {
          const inhabited = tracts.filter((each) => each.people !== 0);
          expect(made.inhabited[scope][areaAt]).toBe(inhabited.length);
          const withValue = inhabited.filter((each) => !Number.isNaN(each.value)).length;
          expect(made.known[scope][areaAt * METRICS.length + metricAt]).toBe(withValue);
        });
      }
    }),
  );
});

test('the thresholds are of PLACES and EJScreen, in the order of the metrics', () => {
  const { distributions } = readTractsFile(openTiny());
  const { thresholds, averages } = distributions();
  expect(UNRANKED_METRICS).toEqual(METRICS.filter(({ path }) => /^(places_measures|epa_data)\./.test(path)));
  UNRANKED_METRICS.forEach(({ path }, at) => {
    const column = TINY_TRACTS.map(({ values }) => values[metricIndex(path)] ?? Number.NaN);
    const known = column.filter((value) => !Number.isNaN(value));
    expect(thresholds[at * RANK_TENTHS], path).toBe(Math.min(...known));
    expect(thresholds[(at + 1) * RANK_TENTHS - 1], path).toBe(Math.max(...known));
    expect(averages[at], path).toBeCloseTo(known.reduce((sum, value) => sum + value, 0) / known.length, 9);
  });
});
