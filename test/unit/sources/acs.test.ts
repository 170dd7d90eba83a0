import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { probeText } from '../../../src/load/files/probe.js';
import { InputError } from '../../../src/load/input.js';
import { describeLikeness } from '../../../src/load/sources/index.js';
import { counties, DE, DE_NAME, GEO, quoted } from '../../support/acs-csv.js';
import { fakeFile, readInto, recognizeFile, refusalOf } from '../../support/input-file.js';
import { recordingSink } from '../../support/recording-sink.js';

const income = (...rows: (readonly string[])[]): string =>
  quoted(
    ['GEO_ID', 'NAME', 'B19013_001E', 'B19013_001M'],
    ['Geography', 'Geographic Area Name', 'Estimate!!Median household income in the past 12 months', 'Margin of Error'],
    ...rows,
  );
const incomeFile = (...rows: (readonly string[])[]) => fakeFile('acs/ACSDT5Y2022.B19013-Data.csv', income(...rows));
const incomeOf = async (cell: string): Promise<number | undefined> => {
  const sink = recordingSink();
  await readInto(sink, incomeFile([GEO + DE, DE_NAME, cell, '12']));
  return sink.value('B19013', DE, 'median_household_income');
};

describe('ACS from data.census.gov', () => {
  it('reads estimates, county names, and the vintage of its name', async () => {
    const sink = recordingSink();
    await readInto(sink, incomeFile([GEO + DE, DE_NAME, '61234', '12']));
    expect(sink.value('B19013', DE, 'median_household_income')).toBe(61234);
    expect([...sink.countyNames]).toEqual([['10001', 'Kent County']]);
    expect(sink.layer('B19013').key).toMatchObject({ year: 2022, tractVintage: 2020, preference: 0 });
    expect(sink.onlyTally()).toMatchObject({ read: 1, kept: 1 });
  });

  it.each([
    '-666666666',
    '-999999999',
    '-222222222',
    '-888888888.0',
    '-6.66666666e+08',
    '-2.22E+08',
    '-2E+08',
    '-',
    'N',
    'NA',
    'N/A',
    '(X)',
    'null',
    '*',
    '**',
    '***',
    '.',
    '',
  ])('takes %j for no value, and not for one that it cannot read', async (code) => {
    const sink = recordingSink();
    await readInto(sink, incomeFile([GEO + DE, DE_NAME, code, '12']));
    expect(sink.value('B19013', DE, 'median_household_income')).toBeNaN();
    expect([...sink.onlyTally().notes]).toEqual([]);
  });

  it.each([
    ['250,000+', 250001],
    ['2,500-', 2499],
    ['61,234', 61234],
    ['-1520', -1520],
  ])('reads %j as %d', async (text, value) => expect(await incomeOf(text)).toBe(value));

  it('takes what is no number for missing, with a note', async () => {
    const sink = recordingSink();
    await readInto(sink, incomeFile([GEO + DE, DE_NAME, '0x10', '12']));
    expect(sink.value('B19013', DE, 'median_household_income')).toBeNaN();
    expect([...sink.onlyTally().notes]).toEqual([['value is not a number', 1]]);
  });

  it('reads tracts whose GEO_ID has lost its prefix, and its leading zero', async () => {
    const sink = recordingSink();
    const name = 'Census Tract 201; Autauga County; Alabama';
    await readInto(sink, incomeFile([DE, DE_NAME, '61234', '12'], ['1001020100', name, '50000', '9']));
    expect(sink.value('B19013', DE, 'median_household_income')).toBe(61234);
    expect(sink.value('B19013', '01001020100', 'median_household_income')).toBe(50000);
    // What lacks a digit or has one too many is no tract.
    await expect(
      readInto(recordingSink(), incomeFile([`${DE}1`, 'x', '1', '1'], ['100010401', 'x', '1', '1'])),
    ).rejects.toThrow('it has no census tracts');
  });

  it('reads a file resaved without quotes, trailing commas and row of labels', async () => {
    const sink = recordingSink();
    const text = `GEO_ID,NAME,B01003_001E,B01003_001M\r\n${GEO}${DE},Census Tract 401; Kent County; Delaware,310,9\r\n`;
    await readInto(sink, fakeFile('ACSDT5Y2023.B01003-Data.csv', text));
    expect(sink.value('B01003', DE, 'total_population')).toBe(310);
  });

  it('finds columns by name among annotations in any order', async () => {
    const sink = recordingSink();
    const header = [
      'GEO_ID',
      'NAME',
      'B17001_001E',
      'B17001_001M',
      'B17001_001MA',
      'B17001_001EA',
      'B17001_002EA',
      'B17001_002E',
    ];
    const text = quoted(header, [
      GEO + DE,
      'Census Tract 401, Kent County, Delaware',
      '300',
      '9',
      '1',
      '2',
      '3',
      '100',
    ]);
    await readInto(sink, fakeFile('ACSDT5Y2021.B17001-Data.csv', text));
    expect(sink.value('B17001', DE, 'poverty_rate')).toBe(33.33);
    expect(sink.countyNames.get('10001')).toBe('Kent County');
  });

  it('rounds a rate as on paper: 23 of 160 are 14.375%', async () => {
    const sink = recordingSink();
    const text = quoted(['GEO_ID', 'NAME', 'B17001_001E', 'B17001_002E'], [GEO + DE, DE_NAME, '160', '23']);
    await readInto(sink, fakeFile('ACSDT5Y2021.B17001-Data.csv', text));
    expect(sink.value('B17001', DE, 'poverty_rate')).toBe(14.38);
  });

  it('leaves other geographies out and accounts for every row', async () => {
    const sink = recordingSink(['10']);
    await readInto(
      sink,
      incomeFile(
        ['0500000US10001', 'Kent County, Delaware', '1', '1'],
        [GEO + DE, DE_NAME, '61234', '12'],
        [GEO + DE, DE_NAME, '61234', '12'],
        [GEO + DE, DE_NAME, '5', '12'],
        [`${GEO}100010401`, 'short', '5', '12'],
        [`${GEO}11001000101`, 'Census Tract 1.01; District of Columbia; District of Columbia', '5', '12'],
        [`${GEO}72001956300`, 'Census Tract 9563; Adjuntas Municipio; Puerto Rico', '5', '12'],
        [`${GEO}10001040200`, 'Census Tract 402', '5'],
        ['US10001040200', DE_NAME, '5', '12'],
        [`${GEO}10001040200`, DE_NAME, '5', '12', 'more'],
      ),
    );
    const tally = sink.onlyTally();
    expect(tally).toMatchObject({ read: 10, kept: 1 });
    expect(Object.fromEntries(tally.leftOut)).toEqual({
      'not a tract': 1,
      'duplicate row': 1,
      'other state': 1,
      territory: 1,
    });
    expect(Object.fromEntries(tally.rejected)).toEqual({
      'duplicate GEOID with other values': 1,
      'not a tract GEOID': 2,
      'ragged row': 2,
    });
  });

  it('refuses a county-level table and one-year estimates, by name', async () => {
    expect(await refusalOf(incomeFile(['0500000US10001', 'Kent County, Delaware', '1', '1']))).toContain(
      'county-level',
    );
    const oneYear = fakeFile(
      'ACSDT1Y2022.B19013-Data.csv',
      income(['0500000US10001', 'Kent County, Delaware', '1', '1']),
    );
    expect(await refusalOf(oneYear)).toContain('1-year');
  });

  it('is refused if it is of 2005–2009, which is on the tracts of 2000', async () => {
    const text = income([GEO + DE, DE_NAME, '61234', '100']);
    for (const name of ['ACSDT5Y2009.B19013-Data.csv', '2009/income.csv']) {
      expect(await refusalOf(fakeFile(name, text)), name).toContain('on the tracts of 2000');
    }
    const sink = recordingSink();
    await readInto(sink, fakeFile('ACSDT5Y2010.B19013-Data.csv', text));
    expect(sink.layer('B19013').key).toMatchObject({ year: 2010, tractVintage: 2010 });
  });

  it('reads the tracts below however many counties', async () => {
    for (const count of [250, 3222]) {
      const sink = recordingSink();
      await readInto(sink, incomeFile(...counties(count), [GEO + DE, DE_NAME, '61234', '12']));
      expect(sink.value('B19013', DE, 'median_household_income')).toBe(61234);
      expect(sink.onlyTally()).toMatchObject({ read: count + 1, kept: 1, leftOutRows: count });
    }
  });

  it('refuses by name and product, when it has been read, a long table that holds no tract', async () => {
    const product = 'acs/ACSDT5Y2022.B19013-Data.csv (ACS 5-year 2018–2022 B19013)';
    await expect(readInto(recordingSink(), incomeFile(...counties(3222)))).rejects.toThrow(
      `${product}: a county-level (or coarser) table: it has no census tracts`,
    );
    const blockGroups = counties(3222).map(([, ...cells], index) => [`1500000US${DE}${index % 10}`, ...cells]);
    await expect(readInto(recordingSink(), incomeFile(...blockGroups))).rejects.toThrow(
      `${product}: a block-group table`,
    );
    await expect(readInto(recordingSink(), incomeFile(['x', 'y', '1', '1']))).rejects.toThrow(
      `${product}: it has no census tracts: no row has a GEO_ID, the first: row 3, GEO_ID "x"`,
    );
  });

  it.each([
    ['10001040100.0', 'GEOID turned into a number, as by a spreadsheet: save its column as text'],
    ['1.0001E+10', 'GEOID rounded, as by a spreadsheet: download the file again'],
  ])('says what a spreadsheet made of its GEOIDs, also below a row of the nation: %s', async (geoid, why) => {
    const spoiled = [geoid, DE_NAME, '61234', '12'];
    for (const rows of [[spoiled], [['0100000US', 'United States', '9', '1'], spoiled]]) {
      await expect(readInto(recordingSink(), incomeFile(...rows))).rejects.toThrow(
        `it has no census tracts: ${why}, the first: row ${rows.length + 2}, GEO_ID "${geoid}"`,
      );
    }
    const sink = recordingSink();
    await readInto(
      sink,
      incomeFile([GEO + DE, DE_NAME, '61234', '12'], spoiled, [GEO + geoid, DE_NAME, '61234', '12']),
    );
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({ [why]: 2 });
  });

  it('fails by name on a download that was cut off below its header', async () => {
    const read = readInto(recordingSink(), incomeFile());
    await expect(read).rejects.toThrow('acs/ACSDT5Y2022.B19013-Data.csv: no rows below its header');
  });

  it('names file and columns where an official name holds something else', async () => {
    const garbage = readInto(recordingSink(), fakeFile('ACSDT5Y2022.B19013-Data.csv', 'hello,world\n1,2\n'));
    await expect(garbage).rejects.toThrow(InputError);
    await expect(garbage).rejects.toThrow('ACSDT5Y2022.B19013-Data.csv: columns missing: GEO_ID');
    await expect(garbage).rejects.toThrow('; its first line is not a header: hello,world');
    const semicolons = readInto(
      recordingSink(),
      fakeFile('ACSDT5Y2022.B19013-Data.csv', 'GEO_ID;NAME;B19013_001E\n1;2;3\n'),
    );
    await expect(semicolons).rejects.toThrow('its cells are separated by semicolons; save it with commas');
    const text = quoted(['GEO_ID', 'NAME', 'B17001_001E'], [GEO + DE, DE_NAME, '5']);
    const half = readInto(recordingSink(), fakeFile('ACSDT5Y2022.B17001-Data.csv', text));
    await expect(half).rejects.toThrow('columns missing: B17001_002E');
  });

  it('refuses a table as it is displayed, and says what to download instead', async () => {
    const text = quoted(
      ['Label (Grouping)', `${DE_NAME}!!Estimate`, `${DE_NAME}!!Margin of Error`],
      ['Median household income', '61,234', '±12'],
    );
    expect(await refusalOf(fakeFile('ACSDT5Y2022.B19013-2024-05-01T120000.csv', text))).toMatch(
      /^it is the table as data\.census\.gov displays it, .*; download its data as a zip archive instead$/,
    );
    expect(await recognizeFile(fakeFile('income.csv', text))).toBeUndefined();
    expect(describeLikeness(await probeText(fakeFile('income.csv', text)))).toBe(
      'looks like an ACS table as data.census.gov displays it, but has no column GEO_ID',
    );
  });

  it('ignores tables that give no metric, notes and lists of columns', async () => {
    const other = quoted(['GEO_ID', 'NAME', 'DP02_0001E'], [GEO + DE, DE_NAME, '5']);
    expect(await recognizeFile(fakeFile('ACSDP5Y2022.DP02-Data.csv', other))).toBeUndefined();
    const columns = '"Column Name","Label"\n"GEO_ID","Geography"\n';
    expect(await recognizeFile(fakeFile('ACSDT5Y2022.B19013-Column-Metadata.csv', columns))).toBeUndefined();
    expect(await recognizeFile(fakeFile('ACSDT5Y2022.B19013-Table-Notes.txt', 'TABLE INFO\n'))).toBeUndefined();
  });

  it('reads the layout of downloads up to 2021 and takes its year, not the day of the download', async () => {
    const sink = recordingSink();
    const text = quoted(
      ['GEO_ID', 'NAME', 'B19013_001E'],
      ['id', 'Geographic Area Name', 'Estimate!!Median household income'],
      [GEO + DE, DE_NAME, '61234'],
    );
    await readInto(sink, fakeFile('ACSDT5Y2019.B19013_data_with_overlays_2021-03-04T051525.csv', text));
    expect(sink.layer('B19013').key).toMatchObject({ year: 2019, tractVintage: 2010 });
    expect(sink.onlyTally()).toMatchObject({ read: 1, kept: 1 });
    const metadata = fakeFile('ACSDT5Y2019.B19013_metadata_2021-03-04T051525.csv', '"GEO_ID","id"\n"NAME","x"\n');
    expect(await recognizeFile(metadata)).toBeUndefined();
  });

  it('takes the year from a folder where the name has none, 2010 tracts up to 2019, and refuses where neither has', async () => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('in/acs 2018/income.csv', income([GEO + DE, DE_NAME, '61234', '12'])));
    expect(sink.layer('B19013').key).toMatchObject({ year: 2018, tractVintage: 2010 });
    expect(await refusalOf(fakeFile('income.csv', income([GEO + DE, DE_NAME, '1', '1'])))).toMatch(/gives? its year/);
  });

  it('refuses a file whose labels are in dollars of another year than its name or folder gives', async () => {
    const text = income([GEO + DE, DE_NAME, '61234', '12']).replace(
      '12 months',
      '12 months (in 2022 inflation-adjusted dollars)',
    );
    for (const name of ['ACSDT5Y2020.B19013-Data.csv', '2021/income.csv', '2022/income_tracts2020.csv']) {
      const read = readInto(recordingSink(), fakeFile(name, text));
      await expect(read, name).rejects.toThrow(`${name}: its name or folder says`);
      await expect(read, name).rejects.toThrow('its labels are in dollars of 2022');
    }
    const sink = recordingSink();
    await readInto(sink, fakeFile('ACSDT5Y2022.B19013-Data.csv', text));
    expect(sink.layer('B19013').key).toMatchObject({ year: 2022 });
  });

  it('refuses a name or folder with several years that are not the first and last of five', async () => {
    const text = `GEO_ID|B19013_E001\n${GEO}${DE}|61234\n`;
    for (const name of ['income_2022_tracts2020.csv', 'acs 2022 by 2020 tracts/income.csv']) {
      expect(await refusalOf(fakeFile(name, text)), name).toContain('gives several years (2020, 2022)');
    }
    const sink = recordingSink();
    await readInto(sink, fakeFile('2023/income_2018-2022.csv', text));
    expect(sink.layer('B19013').key).toMatchObject({ year: 2022 });
  });

  it('rejects a row whose GEOID contradicts its tract name', async () => {
    const sink = recordingSink();
    await readInto(sink, incomeFile([GEO + DE, DE_NAME, '61234', '12'], [`${GEO}10001040201`, DE_NAME, '5', '12']));
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({ 'GEOID contradicts the tract name': 1 });
    expect(sink.onlyTally().kept).toBe(1);
    // Of a state that is not wanted nothing is wrong.
    const elsewhere = recordingSink(['11']);
    await readInto(elsewhere, incomeFile([`${GEO}10001040201`, DE_NAME, '5', '12']));
    expect(Object.fromEntries(elsewhere.onlyTally().leftOut)).toEqual({ 'other state': 1 });
    // But it is if the name is of one that is.
    const named = recordingSink(['10']);
    await readInto(named, incomeFile([GEO + DE, DE_NAME, '5', '12'], [`${GEO}24001000100`, DE_NAME, '5', '12']));
    expect(Object.fromEntries(named.onlyTally().rejected)).toEqual({ 'GEOID contradicts the tract name': 1 });
  });

  it.each([
    ['2026-11-30', 2025, false],
    ['2026-12-01', 2025, true],
    ['2027-01-01', 2025, true],
    ['2027-01-01', 2026, false],
  ])('on %s, may be of %d: %s', async (day, year, isOut) => {
    vi.useFakeTimers({ now: new Date(day), toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const file = fakeFile(`in/${year}/income.csv`, income([GEO + DE, DE_NAME, '61234', '12']));
    if (!isOut) return expect(await refusalOf(file)).toMatch(/gives? its year/);
    const sink = recordingSink();
    await readInto(sink, file);
    expect(sink.layer('B19013').key.year).toBe(year);
  });

  it('takes no year for a file’s that is not over, or before the survey’s first', async () => {
    const text = income([GEO + DE, DE_NAME, '61234', '12']);
    const now = new Date().getUTCFullYear();
    expect(await refusalOf(fakeFile(`ACSDT5Y${now}.B19013-Data.csv`, text))).toMatch(
      new RegExp(
        `the five years up to ${now} have not been published, by this machine’s clock \\(${now}-\\d\\d-\\d\\d\\)`,
      ),
    );
    for (const name of [`in/${now}/income.csv`, 'in/2008/income.csv']) {
      expect(await refusalOf(fakeFile(name, text)), name).toMatch(/gives? its year/);
    }
    const sink = recordingSink();
    await readInto(sink, fakeFile(`in/acs 2022/downloaded ${now}/income.csv`, text));
    expect(sink.layer('B19013').key).toMatchObject({ year: 2022 });
  });
});

describe('ACS rates', () => {
  const rate = async (table: string, cells: Readonly<Record<string, string>>, path: string) => {
    const sink = recordingSink();
    const text = quoted(['GEO_ID', 'NAME', ...Object.keys(cells)], [GEO + DE, DE_NAME, ...Object.values(cells)]);
    await readInto(sink, fakeFile(`ACSDT5Y2022.${table}-Data.csv`, text));
    return sink.value(table, DE, path);
  };

  it('adds up the no-coverage lines of B27010', async () => {
    const cells = { B27010_001E: '1000', B27010_017E: '1', B27010_033E: '20', B27010_050E: '30', B27010_066E: '4' };
    expect(await rate('B27010', cells, 'uninsured_rate')).toBe(5.5);
    expect(await rate('B27010', { ...cells, B27010_066E: '-' }, 'uninsured_rate')).toBeNaN();
  });

  it('divides the unemployed by the civilian labor force', async () => {
    expect(await rate('B23025', { B23025_003E: '600', B23025_005E: '40' }, 'unemployment_rate')).toBe(6.67);
  });

  it('has no value where the denominator is zero or the share is over 100%', async () => {
    expect(await rate('B23025', { B23025_003E: '0', B23025_005E: '0' }, 'unemployment_rate')).toBeNaN();
    expect(await rate('B23025', { B23025_003E: '10', B23025_005E: '11' }, 'unemployment_rate')).toBeNaN();
  });

  it('has no value where counts are below 0, as another program’s code for missing is, and counts these as unreadable', async () => {
    const sink = recordingSink();
    const columns = ['GEO_ID', 'NAME', 'B17001_001E', 'B17001_002E'];
    const rows = [
      [GEO + DE, '', '-999', '-999'],
      [`${GEO}10003000200`, '', '-1', '-1'],
    ];
    await readInto(sink, fakeFile('ACSDT5Y2022.B17001-Data.csv', quoted(columns, ...rows)));
    for (const tract of [DE, '10003000200']) expect(sink.value('B17001', tract, 'poverty_rate')).toBeNaN();
    for (const column of ['B17001_001E', 'B17001_002E']) {
      const { present, unreadable, examples } = sink.onlyTally().column(column);
      expect({ present, unreadable, first: examples[0] }).toEqual({
        present: 2,
        unreadable: 2,
        first: { row: 2, column, value: '-999' },
      });
    }
  });

  it('has no median age beyond 120 and no population below 0', async () => {
    expect(await rate('B01002', { B01002_001E: '38.4' }, 'median_age')).toBe(38.4);
    expect(await rate('B01002', { B01002_001E: '384' }, 'median_age')).toBeNaN();
    expect(await rate('B01003', { B01003_001E: '-3' }, 'total_population')).toBeNaN();
    expect(await rate('B01003', { B01003_001E: '1e20' }, 'total_population')).toBeNaN();
    expect(await incomeOf('1e+300')).toBeNaN();
  });
});
