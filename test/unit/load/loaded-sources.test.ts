import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeRecord } from '../../../src/load/fetch/records.js';
import { storeLayout } from '../../../src/load/fetch/store-layout.js';
import { Tally } from '../../../src/load/intake/tally.js';
import { fetchedFiles, listLoadedSources } from '../../../src/load/write/loaded-sources.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const unknown = () => undefined;
const file = (source: 'acs' | 'gazetteer' | 'hrsa', product: string, label = 'x') => ({ source, product, label });

test('sources are listed once a vintage, the newest first, without those of which no row was kept', () => {
  const superseded = new Tally('gazetteer', 'Census 2021 Gazetteer (tracts)');
  superseded.read = 3;
  superseded.leave('newer gazetteer loaded', 3);
  const files = [
    file('hrsa', 'HRSA sites'),
    file('acs', 'ACS 5-year 2013–2017 B01003'),
    file('acs', 'ACS 5-year 2018–2022 B01003'),
    file('acs', 'ACS 5-year 2018–2022 B19013'),
    file('gazetteer', superseded.product),
    file('gazetteer', 'Census 2023 Gazetteer (tracts)'),
  ];
  expect(listLoadedSources(files, [superseded], unknown)).toEqual([
    { source: 'acs', vintage: '2022', fetched: null },
    { source: 'acs', vintage: '2017', fetched: null },
    { source: 'gazetteer', vintage: '2023', fetched: null },
    { source: 'hrsa', vintage: null, fetched: null },
  ]);
});

test('the day is that of the newest file, archives’ members included, and the record names a vintage that no product does', () => {
  const days = { 'raw/a.csv': '2026-01-02', 'raw/b.zip': '2026-03-04', 'raw/c.csv': '2026-02-03' };
  const dir = join(temporaryDirectory(), 'raw');
  for (const [label, day] of Object.entries(days)) {
    const sha256 = '0'.repeat(64);
    const path = label.replace('raw/', '');
    const times = { modifiedMs: 1, fetchedAt: `${day}T05:06:07Z`, checkedAt: '2027-01-01T00:00:00Z' };
    writeRecord(storeLayout(dir), { path, download: 'zcta', vintage: '2023', url: '', sizeBytes: 1, sha256, ...times });
  }
  const files = ['raw/a.csv', 'raw/b.zip!member.txt', 'raw/c.csv', 'raw/own.csv'].map((label) =>
    file('gazetteer', 'Census Gazetteer (ZCTAs)', label),
  );
  expect(listLoadedSources(files, [], fetchedFiles([dir]))).toEqual([
    { source: 'gazetteer', vintage: '2023', fetched: '2026-03-04' },
    { source: 'gazetteer', vintage: null, fetched: null },
  ]);
});
