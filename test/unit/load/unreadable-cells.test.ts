import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ThresholdError } from '../../../src/load/publish-intake.js';
import { accountOf, type LoadOutcome, load } from '../../support/loading.js';
import { npiAt } from '../../support/nppes.js';
import {
  acsDatText,
  ejscreenText,
  gazetteerText,
  placesWideText,
  sviText,
  writeTree,
} from '../../support/official-files.js';
import { extractText, hrsaSite, hrsaText } from '../../support/provider-files.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const TRACTS = Array.from({ length: 100 }, (_, index) => ({
  geoid: `56001${String(index + 1).padStart(6, '0')}`,
  west: -110 + index / 10,
  south: 41,
}));

const byGeoid = <T>(valueAt: (index: number) => T): Record<string, T> =>
  Object.fromEntries(TRACTS.map(({ geoid }, index) => [geoid, valueAt(index)]));

function loadFile(name: string, text: string): Promise<LoadOutcome> {
  const root = temporaryDirectory();
  const tree = { '2023_Gaz_tracts_56.txt': gazetteerText(TRACTS), [name]: text };
  return load({
    inputDirs: [writeTree(join(root, 'in'), tree)],
    outputDir: join(root, 'out'),
    filter: { territories: false },
  });
}

const loadSvi = (ranks: (index: number) => readonly number[], edit = (text: string): string => text) =>
  loadFile('SVI_2022_Wyoming.csv', edit(sviText(byGeoid(ranks))));

const EJSCREEN = [7, 40, 0.2, 30, 0.3, 1234.5, 0.25, 0.1, 0.2, 1.5, 0.01];
const loadEjscreen = (edit: (text: string) => string) =>
  loadFile('EJSCREEN_2023_Tracts.csv', edit(ejscreenText(byGeoid(() => EJSCREEN))));

const faultsOf = ({ error }: LoadOutcome): string[] => {
  expect(error).toBeInstanceOf(ThresholdError);
  return error?.message.split('\n') ?? [];
};

describe('a file with a column that cannot be read is refused, by column, count and first value', () => {
  it('where decimals have commas', async () => {
    const outcome = await loadSvi(
      () => [0.25, 0.2, 0.3, 0.4, 0.5],
      (text) => text.replaceAll(',0.25,', ',"0,25",'),
    );
    expect(faultsOf(outcome)).toEqual([
      'in/SVI_2022_Wyoming.csv (CDC/ATSDR SVI 2022), column RPL_THEME1: 100 of 100 values are not numbers or out of range, all of them',
      '  the first: row 2, RPL_THEME1 "0,25"',
    ]);
  });

  it('where ranks are percentages, some of them no more than 1', async () => {
    const outcome = await loadSvi((index) => [0.1, 0.2, 0.3, 0.4, index]);
    expect(faultsOf(outcome)).toEqual([
      expect.stringContaining('column RPL_THEMES: 98 of 100 values are not numbers or out of range, more than 5%'),
      '  the first: row 4, RPL_THEMES "2"',
    ]);
  });

  it('where PLACES’ percentages are fractions, of all measures alike', async () => {
    const loadPlaces = (values: (index: number) => readonly number[]) =>
      loadFile('places_2024_release.csv', placesWideText(['DIABETES', 'OBESITY'], byGeoid(values)));
    expect(faultsOf(await loadPlaces((index) => [0.05 + index / 1000, 0.009]))).toEqual([
      'in/places_2024_release.csv (CDC PLACES 2024): none of 200 prevalences is above 1',
      '  they are fractions, but percentages are expected',
    ]);
    expect((await loadPlaces((index) => [5 + index / 10, 0.9])).published).toBeDefined();
    // Nothing is said of what cannot be read at all.
    expect(faultsOf(await loadPlaces(() => [500, 600])).join()).not.toContain('fractions');
  });

  it('where thousands are separated', async () => {
    const outcome = await loadEjscreen((text) => text.replaceAll(',1234.5,', ',"1,234.5",'));
    expect(faultsOf(outcome)[0]).toContain('column PTRAF: 100 of 100 values');
    expect(faultsOf(outcome)[1]).toBe('  the first: row 2, PTRAF "1,234.5"');
  });

  it('where missing values have another product’s code', async () => {
    const outcome = await loadEjscreen((text) => text.replace(/,7,/g, ',-999,'));
    expect(faultsOf(outcome)).toEqual([expect.stringContaining('column PM25'), '  the first: row 2, PM25 "-999"']);
  });

  it('of ACS, by the code of its estimate', async () => {
    const text = acsDatText(
      ['B01002_E001'],
      byGeoid(() => [400]),
    );
    expect(faultsOf(await loadFile('acsdt5y2022-b01002.dat', text))).toEqual([
      expect.stringContaining(
        'in/acsdt5y2022-b01002.dat (ACS 5-year 2018–2022 B01002), column B01002_001E: 100 of 100',
      ),
      '  the first: row 2, B01002_001E "400"',
    ]);
  });
});

describe('unreadable cells', () => {
  const spoiled = (count: number) => loadSvi((index) => [0.1, 0.2, 0.3, 0.4, index < count ? 50 : 0.5]);

  it('up to 5% of a column’s values are reported, not refused', async () => {
    const { published } = await spoiled(5);
    expect(published?.report.unreadable).toEqual([
      {
        file: 'in/SVI_2022_Wyoming.csv',
        product: 'CDC/ATSDR SVI 2022',
        column: 'RPL_THEMES',
        count: 5,
        present: 100,
        examples: [2, 3, 4].map((row) => ({ row, column: 'RPL_THEMES', value: '50' })),
      },
    ]);
    expect(faultsOf(await spoiled(6))[0]).toContain('6 of 100 values');
  });

  it('are a share of the cells that hold a value: documented codes are none', async () => {
    const few = (unreadable: number) =>
      loadSvi((index) => [0.1, 0.2, 0.3, 0.4, index < unreadable ? 50 : index < 20 ? 0.5 : -999]);
    expect((await few(4)).published?.report.unreadable).toMatchObject([{ count: 4, present: 20 }]);
    expect(faultsOf(await few(5))[0]).toContain('5 of 20 values');
  });

  it('that are a column’s only values are refused, few as they are', async () => {
    const outcome = await loadSvi((index) => [0.1, 0.2, 0.3, 0.4, index === 0 ? 50 : -999]);
    expect(faultsOf(outcome)[0]).toContain('column RPL_THEMES: 1 of 1 values');
  });
});

describe('coordinates that are no place are unreadable, and those that are missing are not', () => {
  const PROVIDERS = Array.from({ length: 40 }, (_, index) => index);
  const loadExtract = (cellsAt: (index: number) => readonly [lat: string, lng: string]) =>
    loadFile(
      'providers_WY.csv',
      extractText(...PROVIDERS.map((index) => [npiAt(index), 'A', '207Q00000X', ...cellsAt(index), ''] as const)),
    );

  it.each([
    ['with a sign lost', ['41.05', '109.95'], 'coordinates out of range'],
    ['of 0,0', ['0', '0'], 'coordinates are 0,0'],
    ['of which one is missing', ['', '-109.95'], 'coordinate is not a number'],
    ['swapped', ['-109.95', '41.05'], 'latitude and longitude swapped'],
  ] as const)('in an extract: %s', async (_, cells, fault) => {
    const outcome = await loadExtract(() => cells);
    expect(faultsOf(outcome)).toEqual([
      'in/providers_WY.csv (Provider extract with coordinates), column lat,lon: 40 of 40 values are not numbers or out of range, all of them',
      `  the first: row 2, lat,lon "${cells.join(',')}"`,
    ]);
    expect(outcome.lines).toContain(`  Provider extract with coordinates: 40 × ${fault}, not used`);
  });

  it('in an extract of which a few are so, and any number of providers has none', async () => {
    const few = await loadExtract((index) => (index < 4 ? ['0', '0'] : ['41.05', '-109.95']));
    expect(few.error).toBeUndefined();
    const more = await loadExtract((index) => (index < 5 ? ['0', '0'] : ['41.05', '-109.95']));
    expect(faultsOf(more)[0]).toContain('column lat,lon: 5 of 40 values are not numbers or out of range, more than 5%');
    for (const missing of ['', 'NA', 'N/A', '#N/A', '-', '\\N']) {
      const none = await loadExtract(() => [missing, missing]);
      expect(none.error).toBeUndefined();
      expect(accountOf(none, 'Provider extract with coordinates').notes).toEqual({ 'no coordinates': 40 });
    }
  });

  it('in an extract whose only positions they are: fewer than five do not refuse it', async () => {
    const loadFew = (count: number) => loadExtract((index) => (index < count ? ['0', '0'] : ['', '']));
    expect((await loadFew(4)).published?.report.unreadable).toMatchObject([{ count: 4, present: 4 }]);
    expect(faultsOf(await loadFew(5))[0]).toContain('column lat,lon: 5 of 5 values');
  });

  it('in HRSA’s table', async () => {
    const sites = PROVIDERS.map((index) =>
      hrsaSite({
        'Site Name': `Site ${index}`,
        'Geocoding Artifact Address Primary X Coordinate': '75.65',
      }),
    );
    expect(faultsOf(await loadFile('sites.csv', hrsaText(...sites)))[0]).toContain(
      'column Geocoding Artifact Address Primary Y Coordinate,Geocoding Artifact Address Primary X Coordinate: 40 of 40',
    );
  });
});
