import { describe, expect, it } from 'vitest';
import { acsSequenceFiles, type SequenceYear } from '../../support/acs-sequences.js';
import { fakeFile, readInto, recognizeFile, refusalOf } from '../../support/input-file.js';
import { naiveRows } from '../../support/naive-csv.js';
import { tractName } from '../../support/official-files.js';
import { type RecordingSink, recordingSink } from '../../support/recording-sink.js';

const TRACTS = ['10001040100', '10001040201', '10003000200'].map((geoid) => ({
  geoid,
  name: `${tractName(geoid)}, ${geoid.startsWith('10001') ? 'Kent' : 'New Castle'} County, Delaware`,
}));
/** Cells differ by line, table and tract; universes are larger than their parts, and nobody is 500 years old. */
const estimate = (line: string, at: number): number => {
  const [table, number] = [Number(line.slice(1, 6)), Number(line.slice(7))];
  if (line === 'B01002_001') return 38.5 + at;
  return (number === 1 || number === 3 ? 5000 + (table % 97) : number + (table % 13)) + at * 7;
};
const YEAR: SequenceYear = { year: 2013, state: 'de', tracts: TRACTS, estimate };
const LOOKUP = 'acs-seq/2013/ACS_5yr_Seq_Table_Number_Lookup.txt';

/** Reads a year as a compile does: what says where things are first. `change` alters a file's text by its name. */
async function readYear(given: Partial<SequenceYear> = {}, change = (_name: string, text: string): string => text) {
  const sink = recordingSink();
  const files = acsSequenceFiles({ ...YEAR, ...given });
  const [geography, records] = files.geography;
  const read = (path: string, text: string) =>
    readInto(sink, fakeFile(path, change(path.split('/').at(-1) ?? '', text)));
  await read(LOOKUP, files.lookup);
  await read(`acs-seq/2013/${geography}`, records);
  for (const { members } of files.sequences.values()) {
    for (const [name, text] of Object.entries(members)) await read(`acs-seq/2013/${name}`, text);
  }
  return { sink, files };
}

const valuesOf = (sink: RecordingSink, geoid: string): Record<string, number> =>
  Object.fromEntries(
    sink.layers.flatMap((layer) =>
      layer.key.metrics.map((path) => [path, sink.value(layer.key.table, geoid, path) ?? Number.NaN]),
    ),
  );

describe('ACS sequence files', () => {
  it('give each tract what a plain reading of lookup, geography and estimates gives', async () => {
    const { sink, files } = await readYear();
    const lookup = naiveRows(files.lookup);
    const geography = naiveRows(files.geography[1]);
    const cell = (geoid: string, table: string, line: number): number => {
      const [, , sequence = '', , start] = lookup.find((row) => row[1] === table && row[4] !== '') ?? [];
      const record = geography.find((row) => row.includes(`14000US${geoid}`))?.[4];
      const [estimates = ''] = Object.values(files.sequences.get(sequence.padStart(4, '0'))?.members ?? {});
      return Number(naiveRows(estimates).find((row) => row[5] === record)?.[Number(start) - 1 + line - 1]);
    };
    for (const { geoid } of TRACTS) {
      const percent = (part: number, whole: number): number => Math.round((part / whole) * 10_000) / 100;
      const uninsured = [17, 33, 50, 66].reduce((sum, line) => sum + cell(geoid, 'B27010', line), 0);
      expect(valuesOf(sink, geoid)).toEqual({
        total_population: cell(geoid, 'B01003', 1),
        median_age: cell(geoid, 'B01002', 1),
        median_household_income: cell(geoid, 'B19013', 1),
        poverty_rate: percent(cell(geoid, 'B17001', 2), cell(geoid, 'B17001', 1)),
        unemployment_rate: percent(cell(geoid, 'B23025', 5), cell(geoid, 'B23025', 3)),
        uninsured_rate: percent(uninsured, cell(geoid, 'B27010', 1)),
      });
    }
    expect(sink.layer('B19013').key).toMatchObject({ year: 2013, tractVintage: 2010, preference: 0 });
    expect([...sink.countyNames]).toEqual([
      ['10001', 'Kent County'],
      ['10003', 'New Castle County'],
    ]);
    const { tally } = sink.layer('B19013');
    expect({ read: tally.read, kept: tally.kept }).toEqual({ read: 7, kept: 3 });
    expect([...tally.leftOut]).toEqual([['not a tract', 4]]);
  });

  it.each(['.', '', '-666666666', '-999999999'])('take %j for no value', async (missing) => {
    const { sink } = await readYear({ estimate: (line, at) => (line === 'B19013_001' ? missing : estimate(line, at)) });
    expect(sink.value('B19013', '10001040100', 'median_household_income')).toBeNaN();
    expect(sink.value('B01003', '10001040100', 'total_population')).toBe(estimate('B01003_001', 0));
    expect([...sink.layer('B19013').tally.notes]).toEqual([]);
  });

  it('take a row of another length for damaged, and a record that the geography does not have', async () => {
    const { sink } = await readYear({}, (name, text) =>
      name === 'e20135de0059000.txt' ? text.replace(/,[^,]*\n$/, '\n').replace(',0000002,', ',0000099,') : text,
    );
    expect([...sink.layer('B19013').tally.rejected]).toEqual([
      ['record number not in the geography file', 1],
      ['ragged row', 1],
    ]);
  });

  it.each([
    [
      'a line of another sequence',
      'e20135de0059000.txt',
      (text: string) => text.replace(',0059,0000003,', ',0060,0000003,'),
      'e20135de0059000.txt, line 3: not of the same state and sequence',
    ],
    [
      'a tract without GEOID',
      'g20135de.csv',
      (text: string) => text.replace('14000US10001040100', ''),
      'g20135de.csv, line 2: a tract without its GEOID',
    ],
    [
      'a record that is there twice',
      'g20135de.csv',
      (text: string) => text.replace(',0000004,', ',0000002,'),
      'g20135de.csv, line 4: record 0000002 occurs twice',
    ],
    [
      'a geography with a short row',
      'g20135de.csv',
      (text: string) => `${text}ACSSF,DE,140,00\n`,
      'line 8: not a row of a geography file',
    ],
    [
      'a lookup without start',
      'ACS_5yr_Seq_Table_Number_Lookup.txt',
      (text: string) => text.replace(/(B19013,59,,)\d+/, '$1x'),
      'line 141: B19013 has no sequence number or start position',
    ],
    [
      'a lookup by which a table lies beyond the columns, as another year’s may',
      'ACS_5yr_Seq_Table_Number_Lookup.txt',
      (text: string) => text.replace(/(B19013,59,,)\d+/, (_, before) => `${before}90`),
      'it has 32 columns, but its tables reach to column 90 by the lookup of 2013',
    ],
    [
      'a lookup of another year, by the dollars in its titles',
      'ACS_5yr_Seq_Table_Number_Lookup.txt',
      (text: string) =>
        text.replace('TITLE OF B19013, IN 2013', 'TITLE OF B19013 (IN 2014 INFLATION-ADJUSTED DOLLARS)'),
      'line 141: its name or folder says 2013, but its labels are in dollars of 2014',
    ],
    [
      'a geography of another state',
      'g20135de.csv',
      (text: string) => text.replaceAll('ACSSF,DE,', 'ACSSF,MD,'),
      'g20135de.csv, line 1: by its name of de, but this row is of MD',
    ],
    [
      'a lookup of other tables',
      'ACS_5yr_Seq_Table_Number_Lookup.txt',
      (text: string) => text.split('\n').slice(0, 20).join('\n'),
      'it lists no table that is used here',
    ],
  ])('name file and line of %s', async (_, broken, change, message) => {
    await expect(readYear({}, (name, text) => (name === broken ? change(text) : text))).rejects.toThrow(message);
  });

  it('have one lookup per year: another one is refused unless it says the same, and those of other spans are not used', async () => {
    const { lookup } = acsSequenceFiles(YEAR);
    const other = lookup.replace(/(B19013,59,,)\d+/, (_, before) => `${before}25`);
    const sink = recordingSink();
    await readInto(sink, fakeFile(LOOKUP, lookup));
    await readInto(sink, fakeFile('2013/copy/lookup.txt', lookup));
    for (const name of ['ACS_1yr_Seq_Table_Number_Lookup.txt', 'ACS_2013_3_Year_Seq_Table_Number_Lookup.csv']) {
      expect(await recognizeFile(fakeFile(`2013/${name}`, other))).toBeUndefined();
    }
    await expect(readInto(sink, fakeFile('2013/mine/lookup.txt', other))).rejects.toThrow(
      `2013/mine/lookup.txt: it contradicts ${LOOKUP}, the other lookup of 2013; remove the wrong one`,
    );
  });

  it('have their records in several geography files of a state, unless these contradict each other', async () => {
    const { lookup, geography, sequences } = acsSequenceFiles(YEAR);
    const estimates = fakeFile('e20135de0059000.txt', sequences.get('0059')?.members['e20135de0059000.txt'] ?? '');
    const [, records] = geography;
    const readWith = async (...geographies: string[]): Promise<RecordingSink> => {
      const sink = recordingSink();
      await readInto(sink, fakeFile(LOOKUP, lookup));
      for (const [at, text] of geographies.entries()) await readInto(sink, fakeFile(`${at}/g20135de.csv`, text));
      await readInto(sink, estimates);
      return sink;
    };
    const lines = records.split(/(?<=\n)/);
    const tracts = lines.filter((line) => line.includes(',140,')).join('');
    const sink = await readWith(tracts, records, lines.filter((line) => !line.includes(',140,')).join(''));
    expect(sink.value('B19013', '10003000200', 'median_household_income')).toBe(estimate('B19013_001', 2));
    await expect(
      readWith(records, tracts, records.replace('14000US10001040201', '14000US10001040202')),
    ).rejects.toThrow(
      '2/g20135de.csv: it contradicts 0/g20135de.csv, 1/g20135de.csv: record 0000004 is tract 10001040202 here, tract 10001040201 there; remove the wrong one',
    );
    await expect(readWith(records, records.replace(',140,00,0000004', ',080,00,0000004'))).rejects.toThrow(
      '1/g20135de.csv: it contradicts 0/g20135de.csv: record 0000004 is no tract here, tract 10001040201 there',
    );
  });

  it('name what is not in the input', async () => {
    const { lookup, geography, sequences } = acsSequenceFiles(YEAR);
    const text = sequences.get('0059')?.members['e20135de0059000.txt'] ?? '';
    const estimates = fakeFile('acs/e20135de0059000.txt', text);
    const sink = recordingSink();
    await expect(readInto(sink, estimates)).rejects.toThrow('ACS_5yr_Seq_Table_Number_Lookup.txt of 2013');
    await readInto(sink, fakeFile(LOOKUP, lookup));
    await expect(readInto(sink, estimates)).rejects.toThrow('the input lacks g20135de.csv');
    await readInto(sink, fakeFile('acs/g20135de.csv', geography[1].replaceAll(',140,', ',080,')));
    await expect(readInto(sink, estimates)).rejects.toThrow('it has no census tracts');
  });

  it('are read in the layout of the lookup of earlier years', async () => {
    const older = (text: string): string =>
      text
        .replace(
          /^.*\n/,
          '"fileid","Table ID","seq","Line Number Decimal M Lines","position","cells","total","t","s"\n',
        )
        .replaceAll(',,', ',.,');
    const { sink } = await readYear({}, (name, text) => (name.startsWith('ACS_') ? older(text) : text));
    expect(sink.value('B19013', '10003000200', 'median_household_income')).toBe(estimate('B19013_001', 2));
  });

  it('are refused where their estimates are of one or three years or on older tracts, or nothing tells the lookup’s year', async () => {
    const [text = ''] = Object.values(acsSequenceFiles(YEAR).sequences.get('0059')?.members ?? {});
    expect(await refusalOf(fakeFile('e20131de0059000.txt', text.replaceAll('2013e5', '2013e1')))).toMatch(
      /1-year estimates/,
    );
    expect(await refusalOf(fakeFile('e20095de0059000.txt', text.replaceAll('2013e5', '2009e5')))).toMatch(
      /on the tracts of 2000/,
    );
    const { lookup } = acsSequenceFiles(YEAR);
    const got = `got ${new Date().getUTCFullYear()}`;
    const { product } = (await recognizeFile(fakeFile(`2013/${got}/Seq_Table_Number_Lookup.txt`, lookup))) ?? {};
    expect(product).toContain('2009–2013');
    for (const name of ['ACS_5yr_Seq_Table_Number_Lookup.txt', `${got}/Seq_Table_Number_Lookup.txt`]) {
      expect(await refusalOf(fakeFile(name, lookup))).toMatch(/gives? its year/);
    }
  });

  it('with margins of error are known, and nothing is taken from them', async () => {
    const sink = recordingSink();
    const text = acsSequenceFiles(YEAR).sequences.get('0059')?.members['m20135de0059000.txt'] ?? '';
    expect(await recognizeFile(fakeFile('m20135de0059000.txt', text))).toMatchObject({
      product: expect.stringContaining('margins of error'),
    });
    await readInto(sink, fakeFile('m20135de0059000.txt', text));
    expect(sink.layers).toEqual([]);
  });
});
