import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countChanges, diffTracts, type TractDiff } from '../../../../src/catalog/admin/diff.js';
import { generationPath } from '../../../../src/catalog/directory/generations.js';
import { SECTIONS } from '../../../../src/core/metrics.js';
import { openDataset } from '../../../../src/format/dataset.js';
import { absentSectionHashes, HASH_NUMBERS, hashRecords } from '../../../../src/format/section-hashes.js';
import { packTexts } from '../../../../src/format/text-table.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { publishTinyDataset, TINY_TRACTS } from '../../../support/tiny-dataset.js';

const record = (population: number, svi: unknown, source: string, index: number | null = 0.5): string =>
  JSON.stringify({
    geoid: '27001000100',
    name: 'Tract ,"svi_themes": of \\ odd "names"',
    total_population: population,
    median_age: 40,
    svi_themes: svi,
    places_measures: { diabetes: 10 },
    epa_data: { pm25: 7, _source: source },
    sdoh_index: index,
  });

/** What a file of these tracts holds, without the file. */
function tracts(records: Readonly<Record<number, string>>) {
  const texts = Object.values(records);
  return {
    geoids: Float64Array.from(Object.keys(records), Number),
    sectionHashes: hashRecords(packTexts(texts.length, (row) => texts[row] ?? '')),
  };
}

/** A diff tract by tract, its sections by name. */
function listed({ geoids, sections, rowsBefore, rowsAfter }: TractDiff) {
  return Array.from(geoids, (geoid, at) => ({
    geoid: String(geoid),
    sections: SECTIONS.filter((_, bit) => ((sections[at] ?? 0) & (1 << bit)) !== 0),
    rowBefore: rowsBefore[at],
    rowAfter: rowsAfter[at],
  }));
}

const SVI = { rpl_themes: 0.5 };
const A = 27_001_000_100;
const B = 27_001_000_200;

test('a changed tract lists the sections whose text differs, even by a source’s name or a missing row', () => {
  const before = tracts({ [A]: record(1, SVI, 'EJScreen 2022'), [B]: record(1, SVI, 'EJScreen 2022') });
  const after = tracts({ [A]: record(2, null, 'EJScreen 2023'), [B]: record(1, SVI, 'EJScreen 2022') });
  expect(listed(diffTracts(before, after))).toEqual([
    {
      geoid: String(A),
      sections: ['demographics', 'svi_themes', 'epa_data'],
      rowBefore: 0,
      rowAfter: 0,
    },
  ]);
});

test('added and removed tracts list the sections that they have', () => {
  const [before, after] = [tracts({ [A]: record(1, null, 'x', null) }), tracts({ [B]: record(1, SVI, 'x') })];
  const diff = diffTracts(before, after);
  expect(listed(diff)).toMatchObject([
    { geoid: String(A), sections: ['demographics', 'places_measures', 'epa_data'], rowBefore: 0, rowAfter: -1 },
    { geoid: String(B), sections: SECTIONS, rowBefore: -1, rowAfter: 0 },
  ]);
  expect(countChanges(diff)).toEqual({
    changedTracts: 0,
    addedTracts: 1,
    removedTracts: 1,
    bySection: { demographics: 2, svi_themes: 1, places_measures: 2, epa_data: 2, sdoh_index: 1 },
  });
});

test('two published generations differ where their data differ, and one does not differ from itself', () => {
  const datasetsDir = temporaryDirectory();
  const [first, second] = [0, 5].map((morePeople) =>
    openDataset(generationPath(datasetsDir, publishTinyDataset(datasetsDir, morePeople))),
  );
  if (!first || !second) throw new Error('there are two');
  expect(listed(diffTracts(first.tracts, second.tracts))).toMatchObject([
    { geoid: TINY_TRACTS[0]?.geoid, sections: ['demographics'], rowBefore: 0, rowAfter: 0 },
  ]);
  expect(diffTracts(first.tracts, first.tracts).geoids).toHaveLength(0);
});

/** Some GEOIDs, each with a hash that has a bit for either half of every section’s. */
const someTracts = fc
  .uniqueArray(fc.record({ geoid: fc.integer({ min: 1, max: 30 }), hash: fc.integer({ min: 0, max: 1023 }) }), {
    selector: ({ geoid }) => geoid,
    maxLength: 20,
  })
  .map((entries) => entries.sort((a, b) => a.geoid - b.geoid));

const columns = (entries: readonly { geoid: number; hash: number }[]) => ({
  geoids: Float64Array.from(entries, ({ geoid }) => geoid),
  // A difference in either half of a section's hash is one.
  sectionHashes: Uint32Array.from(
    entries.flatMap(({ hash }) => Array.from({ length: HASH_NUMBERS }, (_, at) => (hash >> at) & 1)),
  ),
});

test('the difference of any two generations is that of a naive comparison', () => {
  const absent = absentSectionHashes();
  fc.assert(
    fc.property(someTracts, someTracts, (left, right) => {
      const [before, after] = [columns(left), columns(right)];
      const hashesOf = ({ geoids, sectionHashes }: typeof before, geoid: number): Uint32Array => {
        const row = geoids.indexOf(geoid);
        return row < 0 ? absent : sectionHashes.subarray(row * HASH_NUMBERS, (row + 1) * HASH_NUMBERS);
      };
      const expected = [...new Set([...before.geoids, ...after.geoids])]
        .sort((a, b) => a - b)
        .flatMap((geoid) => {
          const [old, next] = [hashesOf(before, geoid), hashesOf(after, geoid)];
          const mask = SECTIONS.reduce(
            (bits, _, at) =>
              bits | (old[2 * at] !== next[2 * at] || old[2 * at + 1] !== next[2 * at + 1] ? 1 << at : 0),
            0,
          );
          return mask === 0 ? [] : [[geoid, mask, before.geoids.indexOf(geoid), after.geoids.indexOf(geoid)]];
        });
      const { geoids, sections, rowsBefore, rowsAfter } = diffTracts(before, after);
      expect([...geoids].map((geoid, at) => [geoid, sections[at], rowsBefore[at], rowsAfter[at]])).toEqual(expected);
    }),
  );
});
