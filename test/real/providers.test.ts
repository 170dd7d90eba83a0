import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generationPath } from '../../src/catalog/directory/generations.js';
import { geoidFromNumber } from '../../src/core/geoid.js';
import { type Dataset, openDataset } from '../../src/format/dataset.js';
import { fakeFile, readInto } from '../support/input-file.js';
import { accountOf, type LoadOutcome, load } from '../support/loading.js';
import { entryOf } from '../support/providers.js';
import { realDataDir } from '../support/real-data.js';
import { recordingSink } from '../support/recording-sink.js';
import { variants } from '../support/rounds.js';

const dataDir = realDataDir('real provider files');
const data = (...path: string[]): string => join(dataDir ?? '', ...path);

type Row = Readonly<Record<string, string>>;
const rowsOf = (path: string): Row[] =>
  Papa.parse<Row>(readFileSync(path, 'utf8'), { header: true, delimiter: ',', skipEmptyLines: true }).data;

/** States whose outlines are there whole, with a file of providers; the second is twice as large. */
const STATES = variants(
  [{ abbr: 'KS', fips: '20', providers: 9712, sites: 125 }],
  [{ abbr: 'MN', fips: '27', providers: 21_915, sites: 92 }],
);
const isLoaded = (state = ''): boolean => STATES.some(({ abbr }) => abbr === state);
const sumOf = (count: 'providers' | 'sites'): number => STATES.reduce((sum, state) => sum + state[count], 0);

describe.skipIf(dataDir === undefined)('real provider files, compiled with the real outlines', () => {
  let root = '';
  let outcome: LoadOutcome;
  let dataset: Dataset;
  let providers: Record<string, unknown>[];

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'tract-context-'));
    mkdirSync(join(root, 'tiger'));
    for (const { fips } of STATES) {
      const name = `tl_2020_${fips}_tract20.zip`;
      symlinkSync(data('raw', 'tiger', name), join(root, 'tiger', name));
    }
    const outputDir = join(root, 'out');
    outcome = await load({
      inputDirs: [join(root, 'tiger'), ...['gazetteer', 'providers', 'hrsa', 'nppes'].map((dir) => data('raw', dir))],
      outputDir,
      filter: { states: new Set(STATES.map(({ fips }) => fips)), territories: false },
    });
    if (!outcome.published) throw outcome.error ?? new Error('nothing was published');
    dataset = openDataset(generationPath(outputDir, outcome.published.generation));
    const { providers: file } = dataset;
    providers = file ? Array.from(file.npis, (_, row) => entryOf(file, row)) : [];
  });

  afterAll(() => {
    dataset?.release();
    rmSync(root, { recursive: true, force: true });
  });

  it('every provider of the states is there, under the NPI and at the coordinates of the file', () => {
    const byNpi = new Map(providers.map((provider) => [provider.npi, provider]));
    const published = STATES.flatMap(({ abbr }) => rowsOf(data('raw', 'providers', `providers_${abbr}.csv`)));
    const own = published.filter(({ state }) => isLoaded(state));
    expect(own).toHaveLength(sumOf('providers'));
    for (const { npi, lat, lon, taxonomy_code, zip } of own) {
      expect(byNpi.get(npi)).toMatchObject({
        lat: Number(lat),
        lng: Number(lon),
        primary_taxonomy: taxonomy_code,
        practice_zip: zip,
      });
    }
    expect(accountOf(outcome, 'Provider extract with coordinates').rejected).toEqual({});
  });

  it('every provider’s tract is the one that a context query finds at the same point', () => {
    const { outlines, tracts } = dataset;
    let placed = 0;
    for (const { lat, lng, tract_fips } of providers) {
      const row = outlines.locate({ lat: Number(lat), lng: Number(lng) });
      const geoid = row < 0 ? null : geoidFromNumber(tracts.geoids[row] ?? 0);
      if (tract_fips !== geoid) expect.fail(`${lat},${lng} is in ${geoid}, not in ${tract_fips}`);
      if (geoid !== null) placed++;
    }
    expect(placed).toBe(providers.length);
  });

  it('every HRSA site of the states is placed where HRSA has it', () => {
    const sites = rowsOf(data('raw', 'hrsa', 'FQHC.csv')).filter(({ st_abbr }) => isLoaded(st_abbr));
    const centers = providers.filter(({ is_fqhc }) => is_fqhc);
    expect(sites).toHaveLength(sumOf('sites'));
    // The fuller of the two tables has a site some metres beside.
    const near = (a: unknown, b: string | undefined): boolean => Math.abs(Number(a) - Number(b)) < 0.0005;
    for (const { name, lat, lon } of sites) {
      expect(
        centers.some((center) => near(center.lat, lat) && near(center.lng, lon)),
        name,
      ).toBe(true);
    }
  });

  it('the official rows of the registry are read without a rejected one', () => {
    expect(accountOf(outcome, 'NPPES registry of no known day')).toMatchObject({ read: 12, rejected: {} });
  });
});

describe.skipIf(dataDir === undefined)('a registry file that was re-saved as numbers', () => {
  it('is read without a rejected row: NPIs, types, ZIPs and phones are repaired, what cannot be is counted', async () => {
    const sink = recordingSink(undefined, true);
    const name = 'nppes_resaved_by_pandas.csv';
    await readInto(sink, fakeFile(`odd/${name}`, readFileSync(data('odd', name))));
    const tally = sink.onlyTally();
    expect(tally).toMatchObject({ read: 1000, rejectedRows: 0 });
    expect(tally.leftOut.get('NPI deactivated')).toBe(79);
    const { store } = sink.providers;
    const published = new Map(rowsOf(data('odd', name)).map((row) => [row.NPI, row]));
    expect(store.size).toBeGreaterThan(880);
    for (let index = 0; index < store.size; index++) {
      const { npi, practiceZip, phone, entityType } = store.get(index);
      const row = published.get(npi ?? '');
      const zip = row?.['Provider Business Practice Location Address Postal Code']?.replace('.0', '') ?? '';
      const padded = zip.padStart(zip.length > 5 ? 9 : 5, '0');
      expect(practiceZip).toBe(padded.slice(0, 5));
      expect(entityType).toBe(row?.['Entity Type Code']?.charAt(0));
      const digits = row?.['Provider Business Practice Location Address Telephone Number']?.replace('.0', '') ?? '';
      if (phone !== null) expect(phone.replaceAll('-', '')).toBe(digits);
    }
    expect(tally.notes.get('leading zero of the ZIP restored')).toBeGreaterThan(50);
  });
});
