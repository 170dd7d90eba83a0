import { describe, expect, it } from 'vitest';
import { NPPES_COLUMNS, nppesLine } from '../../../bench/providers/nppes-layout.js';
import type { Provider } from '../../../src/load/providers/provider.js';
import { fakeFile, readInto, recognizeFile } from '../../support/input-file.js';
import { clinic, locationsText, npiAt, physician, registryFile, registryText } from '../../support/nppes.js';
import { type RecordingSink, recordingSink } from '../../support/recording-sink.js';

const kept = ({ providers: { store } }: RecordingSink): Provider[] =>
  Array.from({ length: store.size }, (_, index) => store.get(index));

async function read(text: string | Buffer, sink = recordingSink()): Promise<RecordingSink> {
  await readInto(sink, fakeFile('raw/npidata_pfile_20050523-20240107.csv', text));
  return sink;
}

const reasons = (sink: RecordingSink) => {
  const tally = sink.onlyTally();
  return {
    read: tally.read,
    kept: tally.kept,
    rejected: Object.fromEntries(tally.rejected),
    leftOut: Object.fromEntries(tally.leftOut),
  };
};

describe('a registry file', () => {
  it('has 330 columns, and a row of it becomes a provider as people write one', async () => {
    expect(NPPES_COLUMNS.length).toBe(330);
    const sink = await read(registryText(physician({ NPI: npiAt(0) }), clinic({ NPI: npiAt(1) })));
    expect(kept(sink)).toEqual([
      {
        npi: npiAt(0),
        providerName: 'Synthia Q. Demo-Walker',
        credential: 'MD',
        primaryTaxonomy: '207Q00000X',
        taxonomyDescription: 'Family Medicine Physician',
        providerType: 'pcp',
        practiceAddress: '12 N Samplewood Ave, Suite 300',
        practiceCity: 'Sampleton',
        practiceState: 'MN',
        practiceZip: '55001',
        phone: '612-555-0100',
        isFqhc: false,
        entityType: '1',
        gender: 'F',
      },
      expect.objectContaining({
        providerName: 'Synthetic Clinic of Sampleton, LLC',
        providerType: 'primary_care_clinic',
        credential: null,
        gender: null,
        entityType: '2',
      }),
    ]);
  });

  it('pads its empty cells with blanks, as databases export them, and means the same', async () => {
    const row = physician({ NPI: npiAt(0) });
    const cells = NPPES_COLUMNS.map((name) => `"${row[name] || '  '}"`);
    const sink = await read(`${NPPES_COLUMNS.map((name) => `"${name}"`).join()}\n${[...cells, '" "'].join(',')}\n`);
    expect(reasons(sink)).toEqual({ read: 1, kept: 1, rejected: {}, leftOut: {} });
  });

  it('is read by its columns’ names: 329 of them in another order, with the sex called gender', async () => {
    const columns = NPPES_COLUMNS.filter((name) => name !== 'Certification Date').toReversed();
    const row = physician({ NPI: npiAt(0) });
    const cells = columns.map((name) => `"${row[name] ?? ''}"`).join(',');
    const header = columns.map((name) => `"${name.replace('Sex Code', 'Gender Code')}"`).join(',');
    const sink = recordingSink();
    await readInto(sink, fakeFile('raw/miniaa', `${header}\n${cells}\n`));
    expect(kept(sink)).toMatchObject([{ npi: npiAt(0), gender: 'F', providerType: 'pcp' }]);
  });

  it('takes the taxonomy that is flagged as primary, whichever of the fifteen it is', async () => {
    const nurse = { 'Healthcare Provider Taxonomy Code_15': '363LF0000X' };
    const sink = await read(
      registryText(
        physician({
          NPI: npiAt(0),
          'Healthcare Provider Primary Taxonomy Switch_1': 'N',
          ...nurse,
          'Healthcare Provider Primary Taxonomy Switch_15': 'Y',
        }),
        physician({ NPI: npiAt(1), 'Healthcare Provider Primary Taxonomy Switch_1': 'X' }),
        physician({ NPI: npiAt(2), 'Healthcare Provider Primary Taxonomy Switch_1': 'N', ...nurse }),
      ),
    );
    expect(kept(sink).map(({ npi, primaryTaxonomy }) => [npi, primaryTaxonomy])).toEqual([
      [npiAt(0), '363LF0000X'],
      [npiAt(1), '207Q00000X'],
    ]);
    expect(reasons(sink).leftOut).toEqual({ 'no primary taxonomy': 1 });
  });

  it('leaves out where the post goes abroad, and takes every code and name for the country and its territories', async () => {
    const state = 'Provider Business Practice Location Address State Name';
    const country = 'Provider Business Practice Location Address Country Code (If outside U.S.)';
    const abroad = ['AA', 'AE', 'AP', 'FM', 'MH', 'PW'].map((code) => ({ [state]: code }));
    const names = ['', 'US', 'usa', 'U.S.', 'United States', 'PR', 'GU', 'VI', 'AS', 'MP'];
    const inside = names.map((name) => ({ [country]: name }));
    const rows = [...abroad, ...inside].map((cells, at) => physician({ NPI: npiAt(at), ...cells }));
    expect(reasons(await read(registryText(...rows)))).toEqual({
      read: 16,
      kept: 10,
      leftOut: { 'outside the United States': 6 },
      rejected: {},
    });
  });

  it('leaves out deactivated NPIs, keeps reactivated ones, and counts what else it does not keep by reason', async () => {
    const state = 'Provider Business Practice Location Address State Name';
    const country = 'Provider Business Practice Location Address Country Code (If outside U.S.)';
    const taxonomy = 'Healthcare Provider Taxonomy Code_1';
    const sink = await read(
      registryText(
        { NPI: npiAt(0), 'NPI Deactivation Date': '03/15/2006' },
        physician({ NPI: npiAt(1), 'NPI Deactivation Date': '03/15/2006', 'NPI Reactivation Date': '03/16/2006' }),
        physician({ NPI: npiAt(2), [taxonomy]: '103T00000X' }),
        physician({ NPI: npiAt(3), [taxonomy]: 'family' }),
        physician({ NPI: npiAt(4), [state]: 'PR' }),
        physician({ NPI: npiAt(5), [state]: 'ONTARIO', [country]: 'CA' }),
        physician({ NPI: npiAt(6), [state]: 'AE' }),
        physician({ NPI: npiAt(7), [state]: 'XX' }),
        physician({ NPI: npiAt(1) }),
        physician({ NPI: '12345' }),
        physician({ NPI: npiAt(8), 'Entity Type Code': '3' }),
        physician({ NPI: npiAt(9), 'Provider Last Name (Legal Name)': '<UNAVAIL>', 'Provider First Name': '' }),
      ),
    );
    expect(reasons(sink)).toEqual({
      read: 12,
      kept: 1,
      leftOut: {
        'NPI deactivated': 1,
        'taxonomy without a provider type': 1,
        territory: 1,
        'outside the United States': 2,
      },
      rejected: {
        'malformed taxonomy code': 1,
        'unknown state': 1,
        'duplicate NPI': 1,
        'not an NPI': 1,
        'entity type is neither 1 nor 2': 1,
        'no name': 1,
      },
    });
    const { examples } = sink.onlyTally();
    expect(examples.get('malformed taxonomy code')).toEqual([{ row: 5, value: 'family' }]);
    expect(examples.get('entity type is neither 1 nor 2')).toEqual([
      { row: 12, column: 'Entity Type Code', value: '3' },
    ]);
  });

  it('keeps other taxonomies as other where all are asked for', async () => {
    const sink = await read(
      registryText(physician({ NPI: npiAt(0), 'Healthcare Provider Taxonomy Code_1': '103T00000X' })),
      recordingSink(undefined, true),
    );
    expect(kept(sink)).toMatchObject([
      { providerType: 'other', primaryTaxonomy: '103T00000X', taxonomyDescription: null },
    ]);
  });

  it('rejects damaged rows one by one: too few cells, broken quotes, a NUL byte', async () => {
    const good = (index: number): string => nppesLine(physician({ NPI: npiAt(index) }));
    const text = [
      registryText(physician({ NPI: npiAt(0) })),
      `"${npiAt(1)}","1"\n`,
      good(2).replace('SYNTHIA"', 'SYNTHIA'),
      good(3).replace('SYNTHIA', 'SYN\0THIA'),
      good(4).replace('"12 N', '"12 "N'),
      good(5).replace('SYNTHIA', 'SYNTHIA ""SUE""'),
    ];
    const sink = await read(text.join(''));
    expect(kept(sink).map(({ npi }) => npi)).toEqual([npiAt(0), npiAt(5)]);
    expect(kept(sink)[1]?.providerName).toBe('Synthia "Sue" Q. Demo-Walker');
    expect(reasons(sink).rejected).toEqual({ 'ragged row': 1, 'broken quotes': 2, 'NUL byte': 1 });
  });

  it('is read row by row even if its lines end in carriage returns', async () => {
    const text = registryText(...Array.from({ length: 400 }, (_, index) => physician({ NPI: npiAt(index) })));
    const sink = await read(text.replace(/\r?\n/g, '\r'));
    expect(kept(sink).map(({ npi }) => npi)).toEqual(Array.from({ length: 400 }, (_, index) => npiAt(index)));
    expect(reasons(sink)).toMatchObject({ read: 400, kept: 400 });
  });

  it('is refused if its header is damaged', async () => {
    const text = registryText(physician({ NPI: npiAt(0) }), physician({ NPI: npiAt(1) }));
    await expect(read(text.replace('Entity Type', 'Entity\0 Type'))).rejects.toThrow(
      'npidata_pfile_20050523-20240107.csv: its header (row 1) cannot be read (NUL byte)',
    );
  });

  it('repairs what re-saving as numbers does to NPIs, entity types, ZIPs and phones', async () => {
    const zip = 'Provider Business Practice Location Address Postal Code';
    const state = 'Provider Business Practice Location Address State Name';
    const sink = await read(
      registryText(
        physician({
          NPI: `${npiAt(0)}.0`,
          'Entity Type Code': '1.0',
          [zip]: '70301234.0',
          [state]: 'NJ',
          'Provider Business Practice Location Address Telephone Number': '2015550100.0',
        }),
        physician({ NPI: npiAt(1), [zip]: '7030.0' }),
      ),
    );
    expect(kept(sink)).toMatchObject([
      { npi: npiAt(0), entityType: '1', practiceZip: '07030', phone: '201-555-0100' },
      { npi: npiAt(1), practiceZip: null },
    ]);
    expect(Object.fromEntries(sink.onlyTally().notes)).toEqual({
      'leading zero of the ZIP restored': 1,
      'ZIP is not valid, so not used': 1,
    });
  });

  it('says what a spreadsheet made of NPIs that cannot be repaired, as other provider files do', async () => {
    const [rounded, separated] = ['1.67958E+09', '1,679,576,722'];
    const rejected = [
      ['NPI rounded, as by a spreadsheet: download the file again', { row: 2, column: 'NPI', value: rounded }],
      [
        'NPI turned into a number, as by a spreadsheet: save its column as text',
        { row: 3, column: 'NPI', value: separated },
      ],
    ];
    const coordinates = fakeFile('c.csv', `npi,lat,lng\n${rounded},39,-75\n"${separated}",39,-75\n`);
    for (const file of [registryFile(registryText({ NPI: rounded }, { NPI: separated })), coordinates]) {
      const sink = recordingSink();
      await readInto(sink, file);
      expect([...sink.onlyTally().examples].map(([why, [example]]) => [why, example])).toEqual(rejected);
    }
  });

  it('is refused by file and column where its header is not the registry’s, and passed over where it is only a header', async () => {
    const text = registryText(physician({ NPI: npiAt(0) })).replaceAll('Entity Type Code', 'Entity');
    await expect(read(text)).rejects.toThrow(/npidata_pfile_20050523-20240107\.csv: columns missing: Entity Type Code/);
    const [first = '', ...rows] = text.split('\n');
    await expect(read([first.replace(/Taxonomy (Code|Switch)_/g, '$1 '), ...rows].join('\n'))).rejects.toThrow(
      /columns missing: Entity Type Code, Healthcare Provider Taxonomy Code_1, [^,]+$/,
    );
    const header = registryFile(registryText(), 'npidata_pfile_20050523-20240107_fileheader.csv');
    expect(await recognizeFile(header)).toBeUndefined();
  });
});

describe('several registry files', () => {
  const weekly = (text: string) => registryFile(text, 'npidata_pfile_20240108-20240114.csv');

  it('are read newest first: a weekly file stands against the monthly one, deactivations too', async () => {
    const turns = await Promise.all(
      [
        registryFile(registryText()),
        weekly(registryText()),
        registryFile(registryText(), 'npidata_pfile_sample.csv'),
      ].map(async (file) => {
        const found = await recognizeFile(file);
        return found && 'turn' in found ? found.turn : undefined;
      }),
    );
    const [monthlyTurn = 0, weeklyTurn = 0, undatedTurn = 0] = turns;
    expect(weeklyTurn).toBeLessThan(monthlyTurn);
    expect(monthlyTurn).toBeLessThan(undatedTurn);

    const sink = recordingSink();
    const family = 'Provider Last Name (Legal Name)';
    await readInto(
      sink,
      weekly(
        registryText(physician({ NPI: npiAt(0), [family]: 'MOCK-NEW' }), {
          NPI: npiAt(1),
          'NPI Deactivation Date': '01/10/2024',
        }),
      ),
    );
    await readInto(
      sink,
      registryFile(
        registryText(
          physician({ NPI: npiAt(0), [family]: 'MOCK-OLD' }),
          physician({ NPI: npiAt(1) }),
          physician({ NPI: npiAt(2) }),
        ),
      ),
    );
    expect(kept(sink).map(({ npi, providerName }) => [npi, providerName])).toEqual([
      [npiAt(0), 'Synthia Q. Mock-New'],
      [npiAt(2), 'Synthia Q. Demo-Walker'],
    ]);
    const monthly = sink.tally('nppes', 'NPPES registry through 2024-01-07');
    expect(Object.fromEntries(monthly.leftOut)).toEqual({ 'superseded by a newer file': 2 });
  });
});

describe('a file of further practice locations', () => {
  it('is read for the providers that are kept, by the official names with their odd spaces', async () => {
    const sink = await read(registryText(physician({ NPI: npiAt(0) })));
    const text = locationsText(
      [npiAt(0), '7 MOCK RD', '', 'DEMOVILLE', 'WI', '540011234', 'US', '7155550101'],
      [npiAt(1), '7 MOCK RD', '', 'DEMOVILLE', 'WI', '54001', 'US', ''],
      [npiAt(0), '9 MOCK RD', '', 'DEMOVILLE', '', '54001', 'US', ''],
    );
    await readInto(sink, fakeFile('raw/pl_pfile_20050523-20240107.csv', text));
    expect(sink.providers.furtherLocations).toMatchObject([
      {
        npi: npiAt(0),
        practiceAddress: '7 Mock Rd',
        practiceCity: 'Demoville',
        practiceState: 'WI',
        practiceZip: '54001',
        phone: '715-555-0101',
      },
    ]);
    const tally = sink.tally('nppes', 'NPPES practice locations through 2024-01-07');
    expect(Object.fromEntries(tally.leftOut)).toEqual({ 'no kept provider has this NPI': 1 });
    expect(Object.fromEntries(tally.rejected)).toEqual({ 'no state': 1 });
  });
});
