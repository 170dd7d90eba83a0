import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discoverFiles } from '../../src/load/files/discover.js';
import { probeText } from '../../src/load/files/probe.js';
import type { InputFile } from '../../src/load/input.js';
import { TEXT_SOURCES } from '../../src/load/sources/index.js';
import { readInto, recognizeFile } from '../support/input-file.js';
import { rowsOf } from '../support/layers.js';
import { realDataDir } from '../support/real-data.js';
import { type RecordingSink, recordingSink } from '../support/recording-sink.js';

const dataDir = realDataDir('text sources');

/** Rows read and left out in each file of the text sources; nothing in them is rejected. Counts of whole files. */
const FILES: Readonly<Record<string, readonly [product: string, read: number, leftOut: number]>> = {
  'raw/gazetteer/2023_Gaz_tracts_national.zip!2023_Gaz_tracts_national.txt': [
    'Census 2023 Gazetteer (tracts)',
    85_396,
    981,
  ],
  'raw/cenpop/CenPop2020_Mean_TR.txt': ['2020 Census (centers of population)', 85_395, 981],
  'raw/acs/CA_LosAngeles_S1901_2022.zip!ACSST5Y2022.S1901-Data.csv': ['ACS 5-year 2018–2022 S1901', 2498, 0],
  'raw/acs/DC_S1701_2021.zip!ACSST5Y2021.S1701-Data.csv': ['ACS 5-year 2017–2021 S1701', 207, 1],
  'raw/acs/MI_Wayne_2024.zip!ACSDP5Y2024.DP03-Data.csv': ['ACS 5-year 2020–2024 DP03', 627, 0],
  'raw/acs/NY_2022.zip!ACSDT5Y2022.B01003-Data.csv': ['ACS 5-year 2018–2022 B01003', 5411, 0],
  'raw/acs/NY_2022.zip!ACSDT5Y2022.B19013-Data.csv': ['ACS 5-year 2018–2022 B19013', 5411, 0],
  'raw/acs/TX_Bexar_2021.zip!ACSDP5Y2021.DP03-Data.csv': ['ACS 5-year 2017–2021 DP03', 375, 0],
  'raw/acs/TX_Bexar_2021.zip!ACSDP5Y2021.DP05-Data.csv': ['ACS 5-year 2017–2021 DP05', 375, 0],
  'raw/acs/TX_Bexar_2021.zip!ACSST5Y2021.S1701-Data.csv': ['ACS 5-year 2017–2021 S1701', 375, 0],
  'raw/acs/US_B19013_2022_dat_DC_excerpt/acsdt5y2022-b19013.DC-tracts-excerpt.dat': [
    'ACS 5-year 2018–2022 B19013',
    203,
    0,
  ],
  'raw/svi/2020/Delaware.csv': ['CDC/ATSDR SVI 2020', 259, 0],
  'raw/svi/2020/Illinois.csv': ['CDC/ATSDR SVI 2020', 3263, 0],
  'raw/svi/2020/Oregon.csv': ['CDC/ATSDR SVI 2020', 994, 0],
  'raw/svi/2020/RhodeIsland.csv': ['CDC/ATSDR SVI 2020', 247, 0],
  'raw/svi/2022/Colorado.csv': ['CDC/ATSDR SVI 2022', 1447, 0],
  'raw/svi/2022/Georgia.csv': ['CDC/ATSDR SVI 2022', 2791, 0],
  'raw/svi/2022/Louisiana.csv': ['CDC/ATSDR SVI 2022', 1379, 0],
  'raw/svi/2022/Minnesota.csv': ['CDC/ATSDR SVI 2022', 1502, 0],
  'raw/svi/2022/NewYork.csv': ['CDC/ATSDR SVI 2022', 5394, 0],
  'raw/svi/2022/Ohio.csv': ['CDC/ATSDR SVI 2022', 3162, 0],
  'raw/svi/2022/Virginia.csv': ['CDC/ATSDR SVI 2022', 2186, 0],
  'raw/svi/2022/Wyoming.csv': ['CDC/ATSDR SVI 2022', 160, 0],
  'raw/ejscreen/2021/EJSCREEN_2021_USPR_Tracts.csv.zip!EJSCREEN_2021_USPR_Tracts.csv': ['EPA EJScreen 2021', 15, 0],
  'raw/ejscreen/2023/EJSCREEN_2023_Tracts_StatePct.csv.gz': ['EPA EJScreen 2023', 13_114, 939],
  'raw/places/2021/justice40_places2021_census_tract.csv': ['CDC PLACES 2021', 450, 240],
  'raw/places/2023/ny_places2023_small.csv': ['CDC PLACES 2023', 1000, 640],
  'raw/crosswalk/ct_2022tractcrosswalk.csv': ['Connecticut 2022 tract crosswalk', 879, 0],
  'odd/acs_OH_Franklin_2023_resaved/ACSDT5Y2023.B01003-Data.csv': ['ACS 5-year 2019–2023 B01003', 328, 0],
  'odd/places_2021_leading_zeros_lost.csv': ['CDC PLACES 2021', 450, 240],
  'odd/svi_2014_RI.csv': ['CDC/ATSDR SVI 2014', 243, 0],
  'odd/svi_2018_RI.csv': ['CDC/ATSDR SVI 2018', 243, 0],
};

/** Of providers, not of tracts: what becomes of their rows is looked at beside this file. */
const PROVIDER_FILES = [
  'raw/hrsa/FQHC.csv',
  'raw/hrsa/Health_Center_Sites.excerpt.csv',
  'raw/nppes/miniaa',
  'raw/nppes/npidata_pfile_sample_v2.csv',
  'raw/providers/providers_GA.csv',
  'raw/providers/providers_KS.csv',
  'raw/providers/providers_MN.csv',
  'odd/nppes_resaved_by_pandas.csv',
];

const REFUSED: Readonly<Record<string, string>> = {
  'odd/acs_S1901_2023_county_level_bom.csv': 'county-level',
  'odd/svi_2022_LA_county_level.csv': 'county-level',
};

/** Calls the function once for each label, until the tests are over. */
function onceEach<T>(make: (label: string) => Promise<T>): (label: string) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  afterAll(() => made.clear());
  return (label) => {
    const found = made.get(label) ?? make(label);
    made.set(label, found);
    return found;
  };
}

describe.skipIf(dataDir === undefined)('real files of the text sources', () => {
  const files = new Map<string, InputFile>();
  const fileAt = (label: string): InputFile => {
    const file = files.get(label);
    if (!file) throw new Error(`no file ${label}`);
    return file;
  };
  /** What a file gives, read once for all tests, which only look at it. */
  const load = onceEach(async (label): Promise<RecordingSink> => {
    const sink = recordingSink();
    await readInto(sink, fileAt(label));
    return sink;
  });
  /** The file's rows as plain objects, read in one go: what the readers are checked against. */
  const naive = onceEach(async (label): Promise<Record<string, string>[]> => {
    const content = (await text(await fileAt(label).open())).replace(/^\uFEFF/, '');
    // To let it be guessed takes several times as long.
    const delimiter = label.endsWith('.txt') ? '\t' : ',';
    return Papa.parse<Record<string, string>>(content, { header: true, delimiter, skipEmptyLines: true }).data;
  });

  beforeAll(async () => {
    const dirs = ['raw', 'odd'].map((name) => join(dataDir ?? '', name));
    for (const file of (await discoverFiles(dirs)).others) files.set(file.label, file);
  });

  it('are recognized by one source each, and no other file is', async () => {
    const recognized: string[] = [];
    for (const [label, file] of files) {
      const probe = await probeText(file);
      const claims = TEXT_SOURCES.filter((recognize) => probe && recognize(probe));
      expect(claims.length).toBeLessThanOrEqual(1);
      if (claims.length > 0) recognized.push(label);
    }
    expect(recognized.sort()).toEqual([...Object.keys(FILES), ...PROVIDER_FILES, ...Object.keys(REFUSED)].sort());
  });

  it.each(Object.entries(FILES))('%s is read without a rejected row', async (label, [product, read, leftOut]) => {
    const sink = await load(label);
    const tally = sink.onlyTally();
    expect(tally).toMatchObject({ product, read, rejectedRows: 0, leftOutRows: leftOut });
    expect([...tally.notes]).toEqual([]);
  });

  it.each(Object.entries(REFUSED))(
    '%s is refused, when it is recognized or when it has been read',
    async (label, why) => {
      const recognition = await recognizeFile(fileAt(label));
      if (recognition && 'refuse' in recognition) expect(recognition.refuse).toContain(why);
      else await expect(readInto(recordingSink(), fileAt(label))).rejects.toThrow(why);
    },
  );

  it('give the gazetteer’s points and areas as published', async () => {
    const label = 'raw/gazetteer/2023_Gaz_tracts_national.zip!2023_Gaz_tracts_national.txt';
    const sink = await load(label);
    expect(sink.tracts.filter(({ landSqm }) => landSqm === 0)).toHaveLength(
      (await naive(label)).filter(({ ALAND, USPS }) => ALAND === '0' && USPS !== 'PR').length,
    );
    expect(sink.tracts.find(({ lng }) => lng > 0)?.geoid).toBe('02016000100');
    expect(sink.tracts).toHaveLength(84_415);
  });

  it('give the 2020 population of the 50 states and DC', async () => {
    const sink = await load('raw/cenpop/CenPop2020_Mean_TR.txt');
    let people = 0;
    for (const [, [count = 0]] of rowsOf(sink.layer('CenPop'))) people += count;
    // The census's resident population of the 50 states and DC.
    expect(people).toBe(331_449_281);
  });

  it('give ACS’s estimates as published, coded and missing ones too', async () => {
    const label = 'raw/acs/NY_2022.zip!ACSDT5Y2022.B19013-Data.csv';
    const sink = await load(label);
    for (const row of (await naive(label)).slice(1)) {
      const cell = row.B19013_001E ?? '';
      const expected = { '-': Number.NaN, '250,000+': 250_001, '2,500-': 2499 }[cell] ?? Number(cell);
      const geoid = (row.GEO_ID ?? '').replace('1400000US', '');
      expect(sink.value('B19013', geoid, 'median_household_income')).toBe(expected);
    }
  });

  it.each([
    ['raw/acs/MI_Wayne_2024.zip!ACSDP5Y2024.DP03-Data.csv', 'DP03', 'unemployment_rate', 'DP03_0009PE'],
    ['raw/acs/MI_Wayne_2024.zip!ACSDP5Y2024.DP03-Data.csv', 'DP03', 'uninsured_rate', 'DP03_0099PE'],
    ['raw/acs/TX_Bexar_2021.zip!ACSDP5Y2021.DP03-Data.csv', 'DP03', 'uninsured_rate', 'DP03_0099PE'],
    ['raw/acs/TX_Bexar_2021.zip!ACSST5Y2021.S1701-Data.csv', 'S1701', 'poverty_rate', 'S1701_C03_001E'],
    ['raw/acs/DC_S1701_2021.zip!ACSST5Y2021.S1701-Data.csv', 'S1701', 'poverty_rate', 'S1701_C03_001E'],
  ])('give rates from counts that round to the published percentage: %s %s %s', async (label, table, path, column) => {
    const sink = await load(label);
    let compared = 0;
    for (const row of (await naive(label)).slice(1)) {
      const geoid = (row.GEO_ID ?? '').replace('1400000US', '');
      const published = Number(row[column]);
      if (Number.isNaN(published) || geoid.length !== 11) continue;
      expect(Math.abs((sink.value(table, geoid, path) ?? Number.NaN) - published)).toBeLessThan(0.0551);
      compared++;
    }
    expect(compared).toBeGreaterThan(150);
  });

  it('give SVI’s ranks as published, of one state and on the right tracts', async () => {
    const label = 'raw/svi/2022/NewYork.csv';
    const sink = await load(label);
    const table = 'SVI (state-ranked)';
    for (const row of await naive(label)) {
      const rank = Number(row.RPL_THEMES);
      const expected = rank === -999 ? Number.NaN : rank;
      expect(sink.value(table, row.FIPS ?? '', 'svi_themes.rpl_themes')).toBe(expected);
    }
    // Ranked within the state; in the nation it is 0.6670.
    expect(sink.value(table, '36005000200', 'svi_themes.rpl_themes')).toBe(0.6206);
    expect([...sink.layer(table).stateRanked]).toEqual(['36']);
    expect((await load('odd/svi_2014_RI.csv')).layer(table).key).toMatchObject({ year: 2014, tractVintage: 2010 });
  });

  it('give EJScreen’s values as published, and its gaps', async () => {
    const label = 'raw/ejscreen/2023/EJSCREEN_2023_Tracts_StatePct.csv.gz';
    const sink = await load(label);
    for (const row of await naive(label)) {
      if (row.ST_ABBREV === 'PR') continue;
      const value = (path: string) => sink.value('EJScreen', row.ID ?? '', path);
      expect(value('epa_data.ozone')).toBe(row.OZONE === '' ? Number.NaN : Number(row.OZONE));
      expect(value('epa_data.lead_paint_pct')).toBeCloseTo(Number(row.PRE1960PCT) * 100, 5);
      if (row.ST_ABBREV === 'AK' || row.ST_ABBREV === 'HI') expect(value('epa_data.pm25')).toBeNaN();
    }
  });

  it('give PLACES’ crude prevalences as published, also where zeros were lost', async () => {
    const label = 'raw/places/2021/justice40_places2021_census_tract.csv';
    const [whole, lost] = [await load(label), await load('odd/places_2021_leading_zeros_lost.csv')];
    const rows = (await naive(label)).filter(({ MeasureId }) => MeasureId === 'BPHIGH');
    expect(rows).toHaveLength(15);
    for (const { LocationID = '', Data_Value } of rows) {
      expect(whole.value('PLACES', LocationID, 'places_measures.bphigh')).toBe(Number(Data_Value));
      expect(lost.value('PLACES', LocationID, 'places_measures.bphigh')).toBe(Number(Data_Value));
    }
    const padded = [...lost.layer('PLACES').positions.keys()].filter((geoid) => lost.layer('PLACES').isPadded(geoid));
    expect(padded.map((geoid) => geoid.slice(0, 2))).toEqual(padded.map(() => '06'));
    expect(padded.length).toBeGreaterThan(0);
  });

  it('move each Connecticut tract to the one with its own tract code', async () => {
    const sink = await load('raw/crosswalk/ct_2022tractcrosswalk.csv');
    expect(sink.moves.size).toBe(879);
    for (const [from, to] of sink.moves) expect(to.slice(5)).toBe(from.slice(5));
    expect([...sink.countyNames.values()].every((name) => name.endsWith('Planning Region'))).toBe(true);
    expect(sink.countyNames.size).toBe(9);
  });
});
