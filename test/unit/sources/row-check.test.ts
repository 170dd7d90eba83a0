import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { createRowCheck } from '../../../src/load/sources/row-check.js';
import { DE, DE_NAME, GEO, quoted } from '../../support/acs-csv.js';
import { fakeFile, readInto } from '../../support/input-file.js';
import { clinic, locationsText, npiAt, physician, registryText } from '../../support/nppes.js';
import { ejscreenText } from '../../support/official-files.js';
import { hrsaSite, hrsaText, rhcText, zctaGazetteerText } from '../../support/provider-files.js';
import { recordingSink } from '../../support/recording-sink.js';

const VALUES = [7, 40, 0.2, 30, 0.3, 100, 0.25, 0.1, 0.2, 1.5, 0.01];
const first = ejscreenText({ [DE]: VALUES });
const second = ejscreenText({ '10001040200': VALUES });

describe('a file put together from two', () => {
  it('is refused where the second has its columns in another order', async () => {
    const exchanged = second.replace('PNPL,PRMP', 'PRMP,PNPL');
    const read = readInto(recordingSink(), fakeFile('in/EJSCREEN_2023_Tracts.csv', first + exchanged));
    await expect(read).rejects.toThrow(InputError);
    await expect(read).rejects.toThrow(
      'in/EJSCREEN_2023_Tracts.csv: row 3 is another header: column 14 is "PRMP", but PNPL in the first line; separate the files that it was made of',
    );
  });

  it('is refused where the second has other columns, also more of them', async () => {
    for (const header of ['PNPL2,PRMP', 'PNPL,PRMP,PNEW']) {
      const other = second.replace('PNPL,PRMP', header);
      const read = readInto(recordingSink(), fakeFile('EJSCREEN_2023_Tracts.csv', first + other));
      await expect(read).rejects.toThrow(/row 3 is another header: column 1[46] is/);
    }
  });

  it('is read where both have the same, and the second’s header rejected', async () => {
    for (const text of [first + second, `${first}\uFEFF${second}`]) {
      const sink = recordingSink();
      await readInto(sink, fakeFile('EJSCREEN_2023_Tracts.csv', text));
      expect(sink.onlyTally()).toMatchObject({ read: 3, rejectedRows: 1, rejected: new Map([['header again', 1]]) });
    }
  });

  it('is refused where the second begins in the last line of the first', async () => {
    const read = readInto(recordingSink(), fakeFile('EJSCREEN_2023_Tracts.csv', first.trimEnd() + second));
    await expect(read).rejects.toThrow('EJSCREEN_2023_Tracts.csv: row 2 runs on into a header');
  });

  it('is refused, or read, of ACS, too', async () => {
    const table = (...columns: string[]): string =>
      quoted(['GEO_ID', 'NAME', ...columns], [GEO + DE, DE_NAME, '9', '1']);
    const read = async (...texts: string[]) => {
      const sink = recordingSink();
      await readInto(sink, fakeFile('ACSDT5Y2022.B19013-Data.csv', texts.join('')));
      return sink.onlyTally();
    };
    const official = table('B19013_001E', 'B19013_001M');
    await expect(read(official, table('B19013_001M', 'B19013_001E'))).rejects.toThrow(
      'row 3 is another header: column 3 is "B19013_001M", but B19013_001E in the first line',
    );
    await expect(read(official, table('B01003_001E', 'B01003_001M'))).rejects.toThrow('row 3 is another header');
    expect(await read(official, official)).toMatchObject({
      read: 3,
      rejected: new Map([['header again', 1]]),
      leftOutRows: 1,
    });
  });
});

describe.each([
  {
    what: 'NPPES registry',
    name: 'npidata_pfile_20050523-20240107.csv',
    texts: [registryText(physician({ NPI: npiAt(0) })), registryText(clinic({ NPI: npiAt(1) }))],
    columns: ['"Entity Type Code"', '"Replacement NPI"'],
  },
  {
    what: 'NPPES practice locations',
    name: 'pl_pfile_20050523-20240107.csv',
    texts: [locationsText([npiAt(0), '1 A ST']), locationsText([npiAt(1), '2 B ST'])],
    columns: ['City Name', 'State Name'],
  },
  {
    what: 'HRSA',
    name: 'Health_Center_Service_Delivery_and_LookAlike_Sites.csv',
    texts: [hrsaText(hrsaSite({})), hrsaText(hrsaSite({ 'Site Name': 'Synthetic Other Center' }))],
    columns: ['Site Name', 'Site Address'],
  },
  {
    what: 'CMS rural health clinics',
    name: 'Rural_Health_Clinic_Enrollments_2024.01.csv',
    texts: [rhcText([npiAt(0), 'SYNTHETIC CLINIC', '19901']), rhcText([npiAt(1), 'SYNTHETIC ANNEX', '19901'])],
    columns: ['ORGANIZATION NAME', 'DOING BUSINESS AS NAME'],
  },
  {
    what: 'coordinates by NPI',
    name: 'coordinates.csv',
    texts: [`npi,lat,lng\n${npiAt(0)},39,-75\n`, `npi,lat,lng\n${npiAt(1)},39,-75\n`],
    columns: ['lat', 'lng'],
  },
  {
    what: 'ZCTA gazetteer',
    name: '2024_Gaz_zcta_national.txt',
    texts: [zctaGazetteerText(['19901', 39, -75]), zctaGazetteerText(['19902', 39, -75])],
    columns: ['ALAND', 'AWATER'],
  },
])(
  'a file put together from two: $what',
  ({ name, texts: [first = '', second = ''], columns: [one = '', other = ''] }) => {
    it('is refused where the second has its columns in another order', async () => {
      const exchanged = second.replace(one, 'held').replace(other, one).replace('held', other);
      for (const text of [first + exchanged, `${first}\uFEFF${exchanged}`]) {
        const read = readInto(recordingSink(), fakeFile(name, text));
        await expect(read).rejects.toThrow(/: row 3 is another header: column \d+ is .*; separate the files/);
      }
    });

    it('is refused where the second begins in the last line of the first', async () => {
      for (const text of [first.trimEnd() + second, `${first.trimEnd()}\uFEFF${second}`]) {
        const read = readInto(recordingSink(), fakeFile(name, text));
        await expect(read).rejects.toThrow(`${name}: row 2 runs on into a header, because the file above has no line`);
      }
    });

    it('is read where both have the same, and the second’s header rejected', async () => {
      const sink = recordingSink();
      await readInto(sink, fakeFile(name, first + second));
      expect(sink.onlyTally()).toMatchObject({ read: 3, rejectedRows: 1, rejected: new Map([['header again', 1]]) });
    });
  },
);

it('no row that shares a few cells with the header is taken for another', () => {
  const check = createRowCheck('f.csv', ['ID', 'Name', 'State', 'County', '']);
  const rows = [
    ['ID', 'x', 'y', 'z', ''],
    ['1', 'Name', 'x', 'y', ''],
    ['ID', 'Name', '', '', ''],
    ['', '', '', '', ''],
    ['ID', 'Name', 'State', 'County'],
    // Below a column without a name, anything may stand.
    ['ID', 'Name', 'State', 'County', 'x'],
    ['1', 'x', 'y', 'State', 'z', 'x', 'y', 'z', 'x'],
  ];
  for (const cells of rows) expect(() => check(cells, 2)).not.toThrow();
  expect(() => check(['ID', 'Name', 'County', 'y'], 2)).toThrow('f.csv: row 2 is another header: column 3 is "County"');
});

it.each([
  ['a first column that the table lacks', ['Key', 'Name', 'County']],
  ['a second one', ['ID', 'Key', 'County']],
  ['a second one, behind a byte order mark', ['\uFEFFID', 'Key', 'County', 'State']],
  ['a second one, behind a mark and in quotes', ['\uFEFF"ID"', 'Key', 'County', 'State']],
])('another header is found by %s, too', (_, cells) => {
  const check = createRowCheck('f.csv', ['ID', 'Name', 'State', 'County']);
  expect(() => check(cells, 5)).toThrow('f.csv: row 5 is another header');
});
