import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { counties, DE, DE_NAME, GEO, quoted } from '../../support/acs-csv.js';
import { fakeFile, readInto } from '../../support/input-file.js';
import { recordingSink } from '../../support/recording-sink.js';

describe('ACS profile and subject tables', () => {
  const read = async (name: string, ...rows: (readonly string[])[]) => {
    const sink = recordingSink();
    await readInto(sink, fakeFile(name, quoted(...rows)));
    return sink;
  };
  const labels = ['Geography', 'Geographic Area Name'];

  it('finds DP05’s median age by its label, whatever line it is on', async () => {
    const sink = await read(
      'ACSDP5Y2015.DP05-Data.csv',
      ['GEO_ID', 'NAME', 'DP05_0001E', 'DP05_0017E', 'DP05_0018E', 'DP05_0033E'],
      [
        ...labels,
        'Estimate!!SEX AND AGE!!Total population',
        'Estimate!!SEX AND AGE!!Median age (years)',
        'Estimate!!SEX AND AGE!!18 years and over',
        'Estimate!!RACE!!Total population',
      ],
      [GEO + DE, DE_NAME, '3000', '41.5', '2200', '2999'],
    );
    expect(sink.value('DP05', DE, 'total_population')).toBe(3000);
    expect(sink.value('DP05', DE, 'median_age')).toBe(41.5);
    expect(sink.layer('DP05').key.preference).toBe(1);
  });

  it('does not guess a line from before it had its present number', async () => {
    const old = read(
      'ACSDP5Y2016.DP05-Data.csv',
      ['GEO_ID', 'NAME', 'DP05_0001E', 'DP05_0018E'],
      [GEO + DE, '', '1', '2'],
    );
    await expect(old).rejects.toThrow('DP05 of 2016: columns missing: DP05_0018E');
    const now = await read(
      'ACSDP5Y2017.DP05-Data.csv',
      ['GEO_ID', 'NAME', 'DP05_0001E', 'DP05_0018E'],
      [GEO + DE, '', '9', '32.5'],
    );
    expect(now.value('DP05', DE, 'median_age')).toBe(32.5);
  });

  it('computes DP03’s rates from its counts', async () => {
    const force = 'Estimate!!EMPLOYMENT STATUS!!Population 16 years and over!!In labor force!!Civilian labor force';
    const insurance = 'Estimate!!HEALTH INSURANCE COVERAGE!!Civilian noninstitutionalized population';
    const sink = await read(
      'ACSDP5Y2024.DP03-Data.csv',
      ['GEO_ID', 'NAME', 'DP03_0003E', 'DP03_0005E', 'DP03_0062E', 'DP03_0095E', 'DP03_0099E'],
      [
        ...labels,
        force,
        `${force}!!Unemployed`,
        'Estimate!!INCOME AND BENEFITS (IN 2024 INFLATION-ADJUSTED DOLLARS)!!Total households!!Median household income (dollars)',
        insurance,
        `${insurance}!!No health insurance coverage`,
      ],
      [GEO + DE, DE_NAME, '2000', '50', '70,100', '3000', '100'],
    );
    expect(sink.value('DP03', DE, 'unemployment_rate')).toBe(2.5);
    expect(sink.value('DP03', DE, 'median_household_income')).toBe(70100);
    expect(sink.value('DP03', DE, 'uninsured_rate')).toBe(3.33);
  });

  it('takes DP03 of 2010 to 2012 by line where two lines have the same label', async () => {
    const force = 'Estimate!!EMPLOYMENT STATUS!!In labor force!!Civilian labor force';
    const insurance = 'Estimate!!HEALTH INSURANCE COVERAGE';
    const population = `${insurance}!!Civilian noninstitutionalized population`;
    // The lines of children and of women come first here, so that order alone would take them.
    const lines = [
      ['DP03_0012E', force, '900'],
      ['DP03_0003E', force, '2000'],
      ['DP03_0005E', `${force}!!Unemployed`, '50'],
      [
        'DP03_0062E',
        'Estimate!!INCOME AND BENEFITS (IN 2012 INFLATION-ADJUSTED DOLLARS)!!Median household income (dollars)',
        '70,100',
      ],
      ['DP03_0101E', `${insurance}!!No health insurance coverage`, '7'],
      ['DP03_0095E', population, '3000'],
      ['DP03_0099E', `${insurance}!!No health insurance coverage`, '100'],
      ['DP03_0100E', `${population} under 18 years`, '800'],
    ];
    const column = (at: number): string[] => lines.map((line) => line[at] ?? '');
    const sink = await read(
      'ACSDP5Y2012.DP03-Data.csv',
      ['GEO_ID', 'NAME', ...column(0)],
      [...labels, ...column(1)],
      [GEO + DE, DE_NAME, ...column(2)],
    );
    expect(sink.value('DP03', DE, 'unemployment_rate')).toBe(2.5);
    expect(sink.value('DP03', DE, 'median_household_income')).toBe(70100);
    expect(sink.value('DP03', DE, 'uninsured_rate')).toBe(3.33);
  });

  it.each([
    [
      '2016',
      'S1701',
      'poverty_rate',
      12.5,
      [
        ['S1701_C01_001E', 'Total!!Estimate!!Population for whom poverty status is determined', '400'],
        ['S1701_C02_001E', 'Below poverty level!!Estimate!!Population for whom poverty status is determined', '50'],
        [
          'S1701_C03_001E',
          'Percent below poverty level!!Estimate!!Population for whom poverty status is determined',
          '12.5',
        ],
      ],
    ],
    [
      '2016',
      'S1901',
      'median_household_income',
      54321,
      [
        ['S1901_C01_012E', 'Households!!Estimate!!Median income (dollars)', '54,321'],
        ['S1901_C02_012E', 'Families!!Estimate!!Median income (dollars)', '64,321'],
      ],
    ],
    [
      '2014',
      'S2701',
      'uninsured_rate',
      7.5,
      [
        ['S2701_C01_001E', 'Total!!Estimate!!Total civilian noninstitutionalized population', '400'],
        ['S2701_C02_001E', 'Number Uninsured!!Estimate!!Total civilian noninstitutionalized population', '30'],
        ['S2701_C03_001E', 'Percent Uninsured!!Estimate!!Total civilian noninstitutionalized population', '7.5'],
      ],
    ],
    [
      '2016',
      'S2701',
      'uninsured_rate',
      7.5,
      [
        ['S2701_C01_001E', 'Total!!Estimate!!Civilian noninstitutionalized population', '400'],
        ['S2701_C02_001E', 'Insured!!Estimate!!Civilian noninstitutionalized population', '370'],
        ['S2701_C04_001E', 'Uninsured!!Estimate!!Civilian noninstitutionalized population', '30'],
      ],
    ],
    [
      '2016',
      'S0101',
      'median_age',
      37.1,
      [
        ['S0101_C01_001E', 'Total!!Estimate!!Total population', '4000'],
        ['S0101_C01_030E', 'Total!!Estimate!!SUMMARY INDICATORS!!Median age (years)', '37.1'],
        ['S0101_C02_030E', 'Male!!Estimate!!SUMMARY INDICATORS!!Median age (years)', '35.1'],
      ],
    ],
  ])(
    'reads the labels of up to 2016, which name the column before the estimate: %s %s',
    async (year, table, path, expected, lines) => {
      const column = (at: number): string[] => lines.map((line) => line[at] ?? '');
      const sink = await read(
        `ACSST5Y${year}.${table}-Data.csv`,
        ['GEO_ID', 'NAME', ...column(0)],
        [...labels, ...column(1)],
        [GEO + DE, DE_NAME, ...column(2)],
      );
      expect(sink.value(table, DE, path)).toBe(expected);
    },
  );

  it.each([
    ['S1701', { S1701_C01_001E: '400', S1701_C02_001E: '50' }, 'poverty_rate', 12.5],
    ['S1901', { S1901_C01_012E: '54,321' }, 'median_household_income', 54321],
    ['S2701', { S2701_C01_001E: '400', S2701_C04_001E: '30' }, 'uninsured_rate', 7.5],
    ['S0101', { S0101_C01_001E: '4000', S0101_C01_032E: '37.1' }, 'median_age', 37.1],
  ])('reads %s by its lines where there are no labels', async (table, cells, path, expected) => {
    const sink = await read(
      `ACSST5Y2022.${table}-Data.csv`,
      ['GEO_ID', 'NAME', ...Object.keys(cells)],
      [GEO + DE, DE_NAME, ...Object.values(cells)],
    );
    expect(sink.value(table, DE, path)).toBe(expected);
  });
});

describe('ACS table-based summary file', () => {
  it('leaves out geographies with letters in their GEO_ID as those with digits alone', async () => {
    const sink = recordingSink();
    const others = ['860Z200US19701', '310M700US10180', '1400C43US10001040100', '0500000US10001'];
    const text = `GEO_ID|B19013_E001\n${[GEO + DE, ...others].map((geoId) => `${geoId}|5000\n`).join('')}`;
    await readInto(sink, fakeFile('acsdt5y2022-b19013.dat', text));
    expect(sink.onlyTally()).toMatchObject({ read: 5, kept: 1, rejectedRows: 0 });
    expect(Object.fromEntries(sink.onlyTally().leftOut)).toEqual({ 'not a tract': 4 });
  });

  it('reads the tracts below the nation, the states and all counties', async () => {
    const sink = recordingSink();
    const above = ['0100000US', ...counties(3222).map(([geoId]) => geoId)];
    const text = `GEO_ID|B19013_E001\n${[...above, GEO + DE].map((geoId) => `${geoId}|5000\n`).join('')}`;
    await readInto(sink, fakeFile('acsdt5y2022-b19013.dat', text));
    expect(sink.value('B19013', DE, 'median_household_income')).toBe(5000);
  });

  it('keeps tracts, with jam values as missing and coded medians as they are', async () => {
    const sink = recordingSink();
    const text =
      'GEO_ID|B19013_E001|B19013_M001\n0100000US|75149|110\n0400000US10|79325|600\n' +
      `${GEO}${DE}|250001|-333333333\n${GEO}10001040201|-666666666|-222222222\n${GEO}10001040202|2499|-333333333\n`;
    await readInto(sink, fakeFile('acsdt5y2022-b19013.dat', text));
    expect(sink.value('B19013', DE, 'median_household_income')).toBe(250001);
    expect(sink.value('B19013', '10001040201', 'median_household_income')).toBeNaN();
    expect(sink.value('B19013', '10001040202', 'median_household_income')).toBe(2499);
    expect(Object.fromEntries(sink.onlyTally().leftOut)).toEqual({ 'not a tract': 2 });
  });
});

describe('an ACS table most of whose rows are wrong', () => {
  const geoids = Array.from({ length: 21 }, (_, index) => `1000104${String(1000 + index)}`);
  const load = async (
    columns: readonly [string, string],
    rowAt: (index: number) => readonly [number | string, number | string],
    count = geoids.length,
  ): Promise<void> => {
    const sink = recordingSink();
    const rows = geoids.slice(0, count).map((geoid, index) => `${GEO}${geoid}|${rowAt(index).join('|')}\n`);
    const table = columns[0].slice(0, columns[0].indexOf('_')).toLowerCase();
    await readInto(sink, fakeFile(`acsdt5y2022-${table}.dat`, `GEO_ID|${columns.join('|')}\n${rows.join('')}`));
    expect(sink.onlyTally()).toMatchObject({ read: count, kept: count });
    expect(Object.fromEntries(sink.onlyTally().notes)).toEqual({});
  };
  const INCOME = ['B19013_E001', 'B19013_M001'] as const;
  const swapped = (metric: string, count: number): string =>
    `the estimate for ${metric} is below its margin of error in ${count} of 21 rows: their columns are swapped; download it again`;
  const lowBy = (metric: string, least: number): string =>
    `${metric} is below ${least} in 11 of 21 rows: it is in another unit, or has periods between thousands; download it again`;

  it('is refused where estimates are smaller than their margins, as in swapped columns, but not half of them', async () => {
    const refused = load(INCOME, (index) => (index < 11 ? [9000, 61_000] : [61_000, 9000]));
    await expect(refused).rejects.toThrow(InputError);
    await expect(refused).rejects.toThrow(
      `acsdt5y2022-b19013.dat (ACS 5-year 2018–2022 B19013): ${swapped('median_household_income', 11)}`,
    );
    await load(INCOME, (index) => (index < 10 ? [9000, 61_000] : [61_000, 9000]));
    const people = load(['B01003_E001', 'B01003_M001'], () => [300, 4100]);
    await expect(people).rejects.toThrow(swapped('total_population', 21));
  });

  it.each([
    ['B19013', 'median_household_income', '61.234', 1000],
    ['B19013', 'median_household_income', '50.000', 1000],
    ['B01003', 'total_population', '4.100', 100],
    ['B01002', 'median_age', '0.38', 10],
  ])('is refused where values are far too low, as incomes in thousands: %s', async (table, metric, value, least) => {
    const columns = [`${table}_E001`, `${table}_M001`] as const;
    await expect(load(columns, (index) => [index < 11 ? value : least, 0])).rejects.toThrow(lowBy(metric, least));
    await load(columns, (index) => [index < 10 ? value : least, 0]);
  });

  it('is not judged by fewer than twenty rows, missing values, codes for a margin, or tracts where nobody lives', async () => {
    await load(INCOME, () => [61, 90], 19);
    await load(INCOME, (index) => [index < 19 ? 61 : -666_666_666, 90]);
    await load(INCOME, () => [250_001, -333_333_333]);
    await load(['B01003_E001', 'B01003_M001'], (index) => [index < 10 ? 0 : 4100, 12]);
  });

  it('is told by the wholes of rates, and by the columns of data.census.gov, with commas in its numbers', async () => {
    const rows = geoids.map((geoid) => [GEO + geoid, '', '1,200', '2,900', '90', '310']);
    const columns = ['GEO_ID', 'NAME', 'B17001_001E', 'B17001_001M', 'B17001_002E', 'B17001_002M'];
    const file = fakeFile('ACSDT5Y2022.B17001-Data.csv', quoted(columns, ...rows));
    await expect(readInto(recordingSink(), file)).rejects.toThrow(swapped('poverty_rate', 21));
  });
});
