import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseGeoid } from '../../../src/core/geoid.js';
import { addressesFileName } from '../../../src/format/addresses/shard.js';
import { findDamage, openDataset } from '../../../src/format/dataset.js';
import { IN_NO_TRACT, PROVIDERS_FILE } from '../../../src/format/providers-file.js';
import { entryOf, providerRow, providersFile } from '../../support/providers.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset, TINY_PROVIDERS, TINY_TRACTS } from '../../support/tiny-dataset.js';

const at = { lat: 45, lng: -95 };

test('rows are in the order of NPIs, and a provider outside of all tracts has no tract', () => {
  const geoid = parseGeoid('27001000100') ?? expect.fail();
  const rows = [
    providerRow({ npi: '1000000003', ...at }),
    providerRow({ npi: '1000000001', lat: 0, lng: 0, providerType: 'fqhc' }),
    providerRow({ npi: '1000000002', ...at, providerType: 'urgent_care' }),
  ];
  const file = providersFile(temporaryDirectory(), rows, [{ geoid }], ({ lat }) => (lat === 45 ? 0 : -1));
  onTestFinished(() => file.container.release());
  expect([...file.npis]).toEqual([1000000001, 1000000002, 1000000003]);
  expect([...file.tracts]).toEqual([IN_NO_TRACT, 0, 0]);
  expect(file.rowsInTract('all', 0)).toEqual([1, 2]);
  expect(file.rowsInTract('pcp', 0)).toEqual([2]);
  expect(file.rowsInTract('fqhc', 0)).toEqual([]);
  const details = [0, 1].map((row) => entryOf(file, row));
  expect(details.map(({ tract_fips }) => tract_fips)).toEqual([null, geoid]);
});

test("each provider's tract is the one whose outline holds its position", () => {
  const directory = temporaryDirectory();
  const dataset = openDataset(join(directory, 'generations', publishTinyDataset(directory)));
  onTestFinished(() => dataset.release());
  const { providers } = dataset;
  if (!providers) expect.fail('the tiny dataset has providers');
  expect(providers.providerCount).toBe(TINY_PROVIDERS.length);
  for (let row = 0; row < providers.providerCount; row++) {
    const { tract_fips, lat, lng } = entryOf(providers, row);
    const tract = dataset.outlines.locate({ lat: Number(lat), lng: Number(lng) });
    expect(providers.tracts[row]).toBe(tract);
    expect(tract_fips).toBe(TINY_TRACTS[tract]?.geoid);
  }
});

test('in a file without providers, every search finds none', () => {
  const file = providersFile(temporaryDirectory(), []);
  onTestFinished(() => file.container.release());
  expect(file.trees('all')).toEqual([]);
  expect(file.countByQuality()).toMatchObject({ address_range: 0 });
});

test('damage in a generation’s optional files is found, and a generation without one of its files is not intact', () => {
  const datasets = temporaryDirectory();
  const generation = publishTinyDataset(datasets);
  const directory = join(datasets, 'generations', generation);
  for (const name of [PROVIDERS_FILE, ...['27', '55'].map(addressesFileName)]) {
    const path = join(directory, name);
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect(findDamage(directory).map(({ code, file }) => [code, basename(file)])).toEqual([
      ['checksum-mismatch', name],
    ]);
    rmSync(path);
    expect(publishTinyDataset(datasets)).toBe(generation);
    expect(findDamage(directory)).toEqual([]);
    expect(existsSync(path)).toBe(true);
  }
});
