import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { fakeFile, readInto, recognizeFile, refusalOf } from '../../support/input-file.js';
import { recordingSink } from '../../support/recording-sink.js';

const HEADER = ['USPS', 'GEOID', 'ALAND', 'AWATER', 'ALAND_SQMI', 'AWATER_SQMI', 'INTPTLAT', 'INTPTLONG'];

/** The agency pads the header's last name and every line with spaces. */
const gazetteer = (...rows: (readonly string[])[]): string =>
  [`${HEADER.join('\t')}${' '.repeat(125)}`, ...rows.map((row) => row.join('\t').padEnd(200))].join('\n');

const row = (geoid: string, lat = '39.0', lng = '-75.5', land = '1000'): readonly string[] => [
  'DE',
  geoid,
  land,
  '20',
  '0.',
  '0.001',
  lat,
  lng,
];

describe('gazetteer', () => {
  it('reads internal points and areas of the padded layout, with the year of its name', async () => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('gaz/2023_Gaz_tracts_national.txt', gazetteer(row('10001040100', '38.9', '-75.7'))));
    expect(sink.tracts).toEqual([
      { geoid: '10001040100', lat: 38.9, lng: -75.7, landSqm: 1000, waterSqm: 20, year: 2023 },
    ]);
    expect(sink.onlyTally()).toMatchObject({ read: 1, kept: 1 });
  });

  it('keeps water-only tracts and the tract east of the antimeridian', async () => {
    const sink = recordingSink();
    const text = gazetteer(row('02016000100', '52.5', '179.6'), row('10001990000', '38.9', '-75.1', '0'));
    await readInto(sink, fakeFile('2023_Gaz_tracts_national.txt', text));
    expect(sink.tracts.map(({ geoid }) => geoid)).toEqual(['02016000100', '10001990000']);
  });

  it.each([
    ['nowhere', '-75.5', 'coordinate is not a number'],
    ['NaN', '-75.5', 'coordinate is not a number'],
    ['0', '0', 'coordinates are 0,0'],
    ['-75.5', '39.0', 'latitude and longitude swapped'],
    ['39.0', '75.5', 'coordinates out of range'],
    ['39.0', '284.5', 'coordinates out of range'],
    ['95', '-75.5', 'coordinates out of range'],
  ])('rejects the internal point %s, %s: %s', async (lat, lng, reason) => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('2023_Gaz_tracts_national.txt', gazetteer(row('10001040100', lat, lng))));
    expect(sink.tracts).toEqual([]);
    expect([...sink.onlyTally().rejected]).toEqual([[reason, 1]]);
    expect(sink.onlyTally().examples.get(reason)).toEqual([
      { row: 2, geoid: '10001040100', column: 'INTPTLAT,INTPTLONG', value: `${lat},${lng}` },
    ]);
  });

  it('rejects areas that are no numbers, and shows them', async () => {
    const sink = recordingSink();
    const text = gazetteer(row('10001040100')).replace(/(10001040100\t)\d+\t\d+/, '$11,000\t20');
    await readInto(sink, fakeFile('2023_Gaz_tracts_national.txt', text));
    expect(sink.onlyTally().examples.get('area is not a number, or below 0')).toEqual([
      { row: 2, geoid: '10001040100', column: 'ALAND,AWATER', value: '1,000,20' },
    ]);
  });

  it('rejects ragged rows, duplicates, lost zeros and what is no GEOID, and leaves out territories and other states', async () => {
    const sink = recordingSink(['10', '01']);
    const text = gazetteer(
      row('10001040100'),
      row('10001040100'),
      row('1001020100'),
      row('10001'),
      row('72001956300'),
      ['DE', '10001040200', '1'],
      row('11001000101'),
    );
    await readInto(sink, fakeFile('2023_Gaz_tracts_national.txt', text));
    const tally = sink.onlyTally();
    expect(Object.fromEntries(tally.rejected)).toEqual({
      'duplicate GEOID': 1,
      'GEOID lost its leading zero': 1,
      'not a tract GEOID': 1,
      'ragged row': 1,
    });
    expect(Object.fromEntries(tally.leftOut)).toEqual({ territory: 1, 'other state': 1 });
    expect(tally).toMatchObject({ read: 7, kept: 1 });
  });

  it('reads the pipe-separated layout with columns that it does not know', async () => {
    const sink = recordingSink();
    const text =
      'USPS|GEOID|GEOIDFQ|ALAND|AWATER|ALAND_SQMI|AWATER_SQMI|INTPTLAT|INTPTLONG\n' +
      'DE|10001040100|1400000US10001040100|5|0|0.|0.|38.9|-75.7\n';
    await readInto(sink, fakeFile('2025_Gaz_tracts_national.txt', text));
    expect(sink.tracts).toMatchObject([{ geoid: '10001040100', landSqm: 5, year: 2025 }]);
  });

  it('is recognized by its columns and takes the year from its folder', async () => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('in/gazetteer 2022/tracts.txt', gazetteer(row('10001040100'))));
    expect(sink.tracts[0]?.year).toBe(2022);
    expect(await refusalOf(fakeFile('tracts.txt', gazetteer(row('10001040100'))))).toMatch(/gives? its year/);
  });

  it('is recognized by its name where a spreadsheet has saved it as CSV and spoiled its GEOIDs', async () => {
    const sink = recordingSink();
    const text = gazetteer(row('1.00E+10')).replaceAll('\t', ',');
    await readInto(sink, fakeFile('2023_Gaz_tracts_national.csv', text));
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({
      'GEOID rounded, as by a spreadsheet: download the file again': 1,
    });
  });

  it('is recognized by its columns, too, where its GEOIDs are spoiled, and other geographies are not', async () => {
    for (const geoid of ['10001040100.0', '1.0001E+10', '1E+10']) {
      const sink = recordingSink();
      await readInto(sink, fakeFile('gazetteer 2023/tracts.csv', gazetteer(row(geoid)).replaceAll('\t', ',')));
      expect(sink.onlyTally()).toMatchObject({ read: 1, rejectedRows: 1 });
    }
    const inCalifornia = (geoid: string): string => gazetteer(row(geoid)).replace('DE\t', 'CA\t');
    for (const geoid of ['6001400100.0', '6.0014E+09']) {
      const sink = recordingSink();
      await readInto(sink, fakeFile('gazetteer 2023/tracts.csv', inCalifornia(geoid)));
      expect(sink.onlyTally()).toMatchObject({ read: 1, rejectedRows: 1 });
    }
    for (const geoid of ['600190010.0', '6.0019E+08', '6.0014E+10']) {
      expect(await recognizeFile(fakeFile('gazetteer 2023/areas.csv', inCalifornia(geoid)))).toBeUndefined();
    }
    for (const geoid of ['10001.0', '1.00E+04', '1000190444.0', '1.00019E+09', '100010401001.0', '1.0001E+11']) {
      const file = fakeFile('gazetteer 2023/areas.csv', gazetteer(row(geoid)));
      expect(await recognizeFile(file)).toBeUndefined();
    }
  });

  it('leaves the 2010 tracts of a gazetteer before 2020 out', async () => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('2019_Gaz_tracts_national.txt', gazetteer(row('10001040100'))));
    expect(sink.tracts).toEqual([]);
    expect(Object.fromEntries(sink.onlyTally().leftOut)).toEqual({ '2010 tract': 1 });
  });

  it('does not claim the gazetteer of counties', async () => {
    expect(await recognizeFile(fakeFile('2023_Gaz_counties_national.txt', gazetteer(row('10001'))))).toBeUndefined();
  });

  it('fails with file and columns on an official name over something else', async () => {
    const read = readInto(recordingSink(), fakeFile('x/2023_Gaz_tracts_national.txt', 'a\tb\n1\t2\n'));
    await expect(read).rejects.toThrow(InputError);
    await expect(read).rejects.toThrow(/x\/2023_Gaz_tracts_national\.txt: columns missing: GEOID, ALAND/);
  });
});
