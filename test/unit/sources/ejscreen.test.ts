import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { csvText, fakeFile, readInto, refusalOf } from '../../support/input-file.js';
import { paddedOf, rowsOf } from '../../support/layers.js';
import { recordingSink } from '../../support/recording-sink.js';

const DE = '10001040100';
const CELLS_2023 = {
  OID_: '1',
  ID: DE,
  STATE_NAME: 'Delaware',
  ST_ABBREV: 'DE',
  CNTY_NAME: 'Kent',
  DEMOGIDX_2: '0.3',
  PM25: '7.5',
  OZONE: '61.2',
  DSLPM: '0.1',
  CANCER: '20',
  RESP: '0.3',
  RSEI_AIR: '55',
  PTRAF: '101.5',
  PRE1960PCT: '0.132075471698113',
  PNPL: '0.2',
  PRMP: '0.4',
  PTSDF: '1.2',
  PWDIS: '0.001',
};
type Row = Readonly<Record<string, string>>;

const ejscreen = (rows: readonly Row[], base: Row = CELLS_2023): string =>
  csvText([Object.keys(base), ...rows.map((row) => Object.values({ ...base, ...row }))]);

const without = (...names: string[]): Row =>
  Object.fromEntries(Object.entries(CELLS_2023).filter(([name]) => !names.includes(name)));

const read = async (path: string, text: string, states?: string[]) => {
  const sink = recordingSink(states);
  await readInto(sink, fakeFile(path, text));
  return sink;
};

describe('EJScreen', () => {
  it('reads the eleven values, old housing as a percentage without float noise', async () => {
    const sink = await read('EJSCREEN_2023_Tracts_StatePct.csv', ejscreen([{}]));
    expect(rowsOf(sink.layer('EJScreen'))).toEqual([
      [DE, [7.5, 61.2, 0.1, 20, 0.3, 101.5, 13.207547, 0.2, 0.4, 1.2, 0.001]],
    ]);
    expect(sink.layer('EJScreen').key).toMatchObject({ year: 2023, tractVintage: 2020, label: 'EPA EJScreen 2023' });
    expect([...sink.countyNames]).toEqual([['10001', 'Kent']]);
  });

  it('rejects rows that name another state than their GEOID', async () => {
    const sink = await read('EJSCREEN_2023_Tracts.csv', ejscreen([{}, { ID: '24001000100' }]));
    expect([...sink.layer('EJScreen').positions.keys()]).toEqual([DE]);
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({ 'GEOID contradicts the state or county': 1 });
  });

  it('refuses a file whose IDs have slipped by a row, which the names of the counties tell', async () => {
    const places = [
      ...['10001040100', '10001040201', '10001040202'].map((ID) => ({ ID, CNTY_NAME: 'Kent' })),
      ...['10003000200', '10003000300', '10003000400'].map((ID) => ({ ID, CNTY_NAME: 'New Castle' })),
      ...['10005050101', '10005050103', '10005050104'].map((ID) => ({ ID, CNTY_NAME: 'Sussex' })),
    ];
    const slipped = places.slice(1).map(({ ID }, row) => ({ ID, CNTY_NAME: places[row]?.CNTY_NAME ?? '' }));
    await expect(read('EJSCREEN_2023_Tracts.csv', ejscreen(slipped))).rejects.toThrow(
      'EJSCREEN_2023_Tracts.csv (EPA EJScreen 2023): the rows of 2 of 3 counties name several counties, the first: ' +
        'row 5, GEOID 10003000300, CNTY_NAME "New Castle"; the IDs have slipped or were sorted alone: download it again',
    );
    const oneWrong = places.map((place) => (place.ID === '10003000300' ? { ...place, CNTY_NAME: 'Newcastle' } : place));
    const ofOneCounty = oneWrong.filter(({ ID }) => ID.startsWith('10003'));
    for (const rows of [places, oneWrong, ofOneCounty, places.map(({ ID }) => ({ ID, CNTY_NAME: '' }))]) {
      const sink = await read('EJSCREEN_2023_Tracts.csv', ejscreen(rows));
      expect(sink.layer('EJScreen').size).toBe(rows.length);
    }
  });

  it('refuses slipped IDs of a few counties among many, but not a few names that are written in two ways', async () => {
    const rowsWith = (several: number, counties: number): Row[] =>
      Array.from({ length: counties }, (_, county) => ({
        ID: `48${String(2 * county + 1).padStart(3, '0')}000100`,
      })).flatMap(({ ID }, county) => [
        { ID, ST_ABBREV: 'TX', CNTY_NAME: `County ${county}` },
        { ID: ID.replace(/100$/, '200'), ST_ABBREV: 'TX', CNTY_NAME: `County ${county < several ? 'x' : county}` },
      ]);
    await read('EJSCREEN_2023_Tracts.csv', ejscreen(rowsWith(4, 9)));
    await read('EJSCREEN_2023_Tracts.csv', ejscreen(rowsWith(5, 100)));
    await expect(read('EJSCREEN_2023_Tracts.csv', ejscreen(rowsWith(5, 80)))).rejects.toThrow(
      'the rows of 5 of 80 counties name several counties',
    );
  });

  it('rejects rows of a state that is not loaded if they name one that is, and of two that are not leaves them out', async () => {
    const rows = [{}, { ID: '24001000100' }, { ID: '24001000100', ST_ABBREV: 'VA' }];
    const sink = await read('EJSCREEN_2023_Tracts.csv', ejscreen(rows), ['10']);
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({ 'GEOID contradicts the state or county': 1 });
    expect(Object.fromEntries(sink.onlyTally().leftOut)).toEqual({ 'other state': 1 });
  });

  it('takes empty cells for missing, and what is out of range or no number too, with a note', async () => {
    const sink = await read(
      'EJSCREEN_2023_Tracts.csv',
      ejscreen([{ PM25: '', OZONE: '-1', DSLPM: 'x', PRE1960PCT: '1.5' }]),
    );
    for (const key of ['pm25', 'ozone', 'diesel_pm', 'lead_paint_pct']) {
      expect(sink.value('EJScreen', DE, `epa_data.${key}`)).toBeNaN();
    }
    expect(Object.fromEntries(sink.onlyTally().notes)).toEqual({ 'value out of range': 2, 'value is not a number': 1 });
  });

  it('holds no cancer risk and respiratory index in 2024', async () => {
    const sink = await read('EJSCREEN_2024_Tract_with_AS_CNMI_GU_VI.csv', ejscreen([{}], without('CANCER', 'RESP')));
    const layer = sink.layer('EJScreen');
    for (const key of ['air_toxics_cancer_risk', 'respiratory_hazard_index']) {
      expect(layer.key.metrics).not.toContain(`epa_data.${key}`);
      expect(layer.holds('10', `epa_data.${key}`)).toBe(false);
    }
    expect(layer.holds('10', 'epa_data.pm25')).toBe(true);
    expect(sink.value('EJScreen', DE, 'epa_data.pm25')).toBe(7.5);
  });

  it.each([
    [2024, 2020, without('CANCER', 'RESP')],
    [2023, 2020, CELLS_2023],
    [2022, 2020, without('RSEI_AIR')],
    [2021, 2010, { ...without('RSEI_AIR', 'DEMOGIDX_2'), VULEOPCT: '1' }],
  ])('tells %d by but its columns say, on %d tracts', async (year, tractVintage, base: Row) => {
    const sink = await read('tracts.csv', ejscreen([{}], base));
    expect(sink.layer('EJScreen').key).toMatchObject({ year, tractVintage });
  });

  it('takes no year for the release’s whose columns it has not: it may be that of a download', async () => {
    const names = ['2023/ejscreen_tracts_downloaded_2024.csv', '2024/tracts.csv', 'tracts_2022.csv'];
    for (const name of names) {
      const sink = await read(name, ejscreen([{}]));
      expect(sink.layer('EJScreen').key, name).toMatchObject({ year: 2023 });
      expect(sink.value('EJScreen', DE, 'epa_data.air_toxics_cancer_risk')).not.toBeNaN();
    }
  });

  it('leaves territories out, by short id too, and accounts for every row', async () => {
    const rows = [
      {},
      {},
      { PM25: '1' },
      { ID: '60', ST_ABBREV: 'AS' },
      { ID: '72001956300', ST_ABBREV: 'PR' },
      { ID: '11001000101', ST_ABBREV: 'DC' },
      { ID: '10001', ST_ABBREV: 'DE' },
      { ID: '1001020100', ST_ABBREV: 'AL' },
    ];
    const sink = await read('EJSCREEN_2023_Tracts.csv', `${ejscreen(rows)}1,2\n`, ['10', '01']);
    const tally = sink.onlyTally();
    expect(tally).toMatchObject({ read: 9, kept: 2 });
    expect(Object.fromEntries(tally.leftOut)).toEqual({ 'duplicate row': 1, territory: 2, 'other state': 1 });
    expect(Object.fromEntries(tally.rejected)).toEqual({
      'duplicate GEOID with other values': 1,
      'not a tract GEOID': 1,
      'ragged row': 1,
    });
    expect(paddedOf(sink.layer('EJScreen'))).toEqual([
      [DE, false],
      ['01001020100', true],
    ]);
  });

  it('refuses block groups, years that it cannot read, and years that nothing tells', async () => {
    const blockGroup = ejscreen([{ ID: `${DE}1` }]);
    expect(await refusalOf(fakeFile('EJSCREEN_2023_BG.csv', blockGroup))).toContain('block-group');
    expect(await refusalOf(fakeFile('EJSCREEN_2020_USPR.csv', ejscreen([{}])))).toContain('only the releases');
    const unknown = ejscreen([{}], without('RSEI_AIR', 'DEMOGIDX_2'));
    expect(await refusalOf(fakeFile('tracts.csv', unknown))).toMatch(/gives? its year/);
  });

  it('takes the year that its folder tells if neither its name nor its columns do', async () => {
    const sink = await read('2021/tracts.csv', ejscreen([{}], without('RSEI_AIR', 'DEMOGIDX_2')));
    expect(sink.layer('EJScreen').key).toMatchObject({ year: 2021, tractVintage: 2010 });
  });

  it.each([
    [
      'EJSCREEN_2024_Tract_with_AS_CNMI_GU_VI.csv',
      CELLS_2023,
      'its name says 2024, but its columns say 2023: the release of 2024 has no column CANCER, RESP',
    ],
    [
      'EJSCREEN_2022_Tracts.csv',
      CELLS_2023,
      'its name says 2022, but its columns say 2023: the release of 2022 has no column RSEI_AIR',
    ],
    [
      'EJSCREEN_2023_Tracts_StatePct.csv',
      { ...without('RSEI_AIR', 'DEMOGIDX_2'), VULEOPCT: '1' },
      'its name says 2023, but its columns say 2021: the release of 2023 has no column VULEOPCT',
    ],
    [
      'EJSCREEN_2021_USPR_Tracts.csv',
      without('RSEI_AIR'),
      'its name says 2021, but its columns say 2022: the release of 2021 has no column DEMOGIDX_2',
    ],
    [
      'ejscreen/2023/tracts.csv',
      without('CANCER', 'RESP'),
      'its folder says 2023, but its columns say 2024: the release of 2023 has CANCER and RESP; put the year into the file name',
    ],
  ])('refuses a name or a folder of another year than the columns: %s', async (path, base, reason) => {
    expect(await refusalOf(fakeFile(path, ejscreen([{}], base)))).toBe(reason);
  });

  it('takes one with columns that 2024 alone has, or in a folder of 2024, for it wherever it lies', async () => {
    const since2024 = { ...without('CANCER', 'RESP'), NO2: '7.5' };
    for (const [name, base] of [
      ['raw-2023/EJScreen tracts.csv', since2024],
      ['raw-2023/EJScreen tracts.csv', { ...without('CANCER', 'RESP'), DWATER: '1' }],
      ['ejscreen 2024/2023 acs/ejscreen.csv', without('CANCER', 'RESP')],
    ] as const) {
      const sink = await read(name, ejscreen([{}], base));
      expect(sink.layer('EJScreen').key, name).toMatchObject({ year: 2024 });
    }
  });

  it.each(['EJScreen 2025/tracts.csv', 'ejscreen/2025/tracts.csv', 'ejscreen 2023/EJScreen_2025/Delaware.csv'])(
    'refuses a table without columns of 2023, which it may have lost, below a later release than those that are read: %s',
    async (path) => {
      expect(await refusalOf(fakeFile(path, ejscreen([{}], without('CANCER', 'RESP'))))).toBe(
        'its folder says 2025, but only the releases of 2021, 2022, 2023, 2024 are supported; if it is one of these, put that year into its name',
      );
    },
  );

  it.each([
    ['EJScreen 2025/tracts.csv', 2023, CELLS_2023],
    ['EJScreen 2025/tracts.csv', 2024, { ...without('CANCER', 'RESP'), NO2: '7.5' }],
    ['EJScreen 2025/tracts 2024.csv', 2024, without('CANCER', 'RESP')],
    ['EJScreen 2025/2024/tracts.csv', 2024, without('CANCER', 'RESP')],
    ['downloads 2025/tracts.csv', 2024, without('CANCER', 'RESP')],
  ])(
    'takes the year of such a folder for that of the download if anything else gives the release: %s, %d',
    async (path, year, base) => {
      const sink = await read(path, ejscreen([{}], base));
      expect(sink.layer('EJScreen').key).toMatchObject({ year });
    },
  );

  it('takes a table of 2024 for it in its own folder and in one of another time', async () => {
    for (const name of ['2024/tracts.csv', '2020/tracts.csv', '2022/tracts.csv', '2023/tracts 2024.csv']) {
      const sink = await read(name, ejscreen([{}], without('CANCER', 'RESP')));
      expect(sink.layer('EJScreen').key, name).toMatchObject({ year: 2024 });
    }
  });

  it('notes that only its columns make a table one of 2024, as they may make one of a release after it', async () => {
    const of2024 = ejscreen([{}], without('CANCER', 'RESP'));
    const notes = async (path: string, text = of2024) => Object.fromEntries((await read(path, text)).onlyTally().notes);
    const note = 'file of unknown year: by its columns of 2024, or of a release after it; put the year into its name';
    expect(await notes('tracts.csv')).toEqual({ [note]: 1 });
    expect(await notes('downloads 2025/tracts.csv')).toEqual({ [note]: 1 });
    for (const path of ['tracts 2024.csv', 'EJSCREEN_2024_Tracts.csv', 'ejscreen/2024/tracts.csv']) {
      expect(await notes(path), path).toEqual({});
    }
    expect(await notes('tracts.csv', ejscreen([{}]))).toEqual({});
  });

  it('names file and columns that the year should have, and ignores those that it does not know', async () => {
    const text = ejscreen([{}], without('CANCER', 'PWDIS'));
    const missing = read('e/EJSCREEN_2023_Tracts.csv', text);
    await expect(missing).rejects.toThrow(InputError);
    await expect(missing).rejects.toThrow('e/EJSCREEN_2023_Tracts.csv: columns missing: CANCER, PWDIS');
    const more = await read('EJSCREEN_2023_Tracts.csv', ejscreen([{}], { ...CELLS_2023, NEW: '1' }));
    expect(more.layer('EJScreen').size).toBe(1);
    await expect(read('EJSCREEN_2023_Tracts.csv', 'a,b\n1,2\n')).rejects.toThrow(
      'columns missing: ID, PM25, OZONE, DSLPM, CANCER, RESP, PTRAF, PRE1960PCT, PNPL, PRMP, PTSDF, PWDIS; its first line',
    );
  });
});
