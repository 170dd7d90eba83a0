import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { fakeFile, readInto, recognizeFile, refusalOf } from '../../support/input-file.js';
import { paddedOf, rowsOf } from '../../support/layers.js';
import { recordingSink } from '../../support/recording-sink.js';

const COLUMNS = {
  ST: '10',
  STATE: 'Delaware',
  ST_ABBR: 'DE',
  STCNTY: '10001',
  COUNTY: 'Kent County',
  FIPS: '10001040100',
  LOCATION: 'Census Tract 401; Kent County; Delaware',
  E_POV150: '954',
  RPL_THEME1: '0.9333',
  RPL_THEME2: '0.9443',
  RPL_THEME3: '0.696',
  RPL_THEME4: '0.3862',
  RPL_THEMES: '0.8673',
};
type Row = Readonly<Record<string, string>>;

const quoted = (cells: readonly string[]): string =>
  cells.map((cell) => (/,/.test(cell) ? `"${cell}"` : cell)).join(',');

/** A table with the columns of the first row; each row changes some of the standard cells. */
const svi = (rows: readonly Row[], base: Row = COLUMNS): string =>
  `\uFEFF${[Object.keys(base), ...rows.map((row) => Object.values({ ...base, ...row }))].map(quoted).join('\n')}\n`;

const before2020 = (place: string): Row => {
  const { E_POV150, ...rest } = COLUMNS;
  return { ...rest, E_POV: E_POV150, LOCATION: place };
};

describe('SVI', () => {
  it('reads the five ranks and the county’s name', async () => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('SVI_2022_US.csv', svi([{}])));
    const layer = sink.layer('SVI (state-ranked)');
    expect(rowsOf(layer)).toEqual([['10001040100', [0.9333, 0.9443, 0.696, 0.3862, 0.8673]]]);
    expect([...sink.countyNames]).toEqual([['10001', 'Kent County']]);
  });

  it('takes a file of one state as ranked within it, and puts it behind a national one of the same year', async () => {
    const sink = recordingSink(['10']);
    await readInto(sink, fakeFile('svi/2022/Delaware.csv', svi([{}])));
    await readInto(sink, fakeFile('SVI_2022_US.csv', svi([{}, { FIPS: '11001000101', RPL_THEMES: '0.5' }])));
    const [state, national] = sink.layers;
    expect(state?.key).toMatchObject({ table: 'SVI (state-ranked)', preference: 1 });
    expect([...(state?.stateRanked ?? [])]).toEqual(['10']);
    expect(national?.key).toMatchObject({ table: 'SVI', preference: 0, label: 'CDC/ATSDR SVI 2022' });
    expect(national?.stateRanked.size).toBe(0);
  });

  it('takes several states’ own files in one for what they are, and a part of the national one for national', async () => {
    const [first, last] = [{ RPL_THEMES: '0' }, { RPL_THEMES: '1' }];
    const inDc = (row: Row, at: number): Row => ({ ...row, FIPS: `1100100010${at}` });
    const inDe = (row: Row, at: number): Row => ({ ...row, FIPS: `1000104010${at}` });
    const stateRankedOf = async (rows: readonly Row[]): Promise<string[]> => {
      const sink = recordingSink(['10', '11']);
      await readInto(sink, fakeFile('SVI_2022_some.csv', svi(rows)));
      return [...(sink.layers[0]?.stateRanked ?? [])].sort();
    };
    const [de, dc] = [[first, {}, last].map(inDe), [{}, last, first, { RPL_THEMES: '-999' }].map(inDc)];
    expect(await stateRankedOf([...de, ...dc])).toEqual(['10', '11']);
    expect(await stateRankedOf([...de, ...dc.slice(0, 2)])).toEqual([]);
  });

  it('takes a state’s own file with a part of another state for what it is, and not one that spans the nation’s ranks', async () => {
    const stateRankedOf = async (rows: readonly Row[]): Promise<string[]> => {
      const sink = recordingSink(['10', '11']);
      await readInto(sink, fakeFile('SVI_2022_some.csv', svi(rows)));
      return [...(sink.layers[0]?.stateRanked ?? [])].sort();
    };
    const place = { LOCATION: '' };
    const inDe = (rank: number, at: number): Row => ({
      ...place,
      FIPS: `10001${String(40100 + at).padStart(6, '0')}`,
      RPL_THEMES: rank.toFixed(4),
    });
    const dc: Row = { ...place, FIPS: '11001000101', RPL_THEMES: '0.5' };
    // Three tracts of one rank have that of the first of them.
    const own = Array.from({ length: 150 }, (_, at) => (at === 41 || at === 42 ? 40 : at) / 149);
    expect(await stateRankedOf([...own.map(inDe), dc])).toEqual(['10', '11']);
    expect(await stateRankedOf([...own.slice(1).map(inDe), dc])).toEqual([]);
    expect(await stateRankedOf([...own.map((rank) => rank ** 1.2).map(inDe), dc])).toEqual([]);
    expect(await stateRankedOf([...[0, 0.5, 1].map(inDe), dc])).toEqual([]);
  });

  it.each(['-999', '-999.0', '-999.000000000000000', ''])('takes %j for no value', async (code) => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('SVI_2022_US.csv', svi([{ RPL_THEMES: code }])));
    expect(sink.value('SVI (state-ranked)', '10001040100', 'svi_themes.rpl_themes')).toBeNaN();
    expect(sink.value('SVI (state-ranked)', '10001040100', 'svi_themes.rpl_theme1')).toBe(0.9333);
    expect(sink.onlyTally().notes.size).toBe(0);
  });

  it('takes a rank beyond 0 to 1 for missing, with a note', async () => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('SVI_2022_US.csv', svi([{ RPL_THEMES: '1.2', RPL_THEME1: 'high' }])));
    expect(sink.value('SVI (state-ranked)', '10001040100', 'svi_themes.rpl_themes')).toBeNaN();
    expect(Object.fromEntries(sink.onlyTally().notes)).toEqual({ 'value out of range': 1, 'value is not a number': 1 });
  });

  it('rejects a row whose GEOID contradicts its tract name', async () => {
    const sink = recordingSink();
    const rows = [
      {},
      { FIPS: '10001040201', LOCATION: 'Census Tract 402.02; Kent County; Delaware' },
      { FIPS: '10001040210', LOCATION: 'Census Tract 402.1; Kent County; Delaware' },
      { FIPS: '10001040300', LOCATION: '' },
    ];
    await readInto(sink, fakeFile('SVI_2022_US.csv', svi(rows)));
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({ 'GEOID contradicts the tract name': 1 });
    expect(sink.onlyTally().kept).toBe(3);
    // Also of a state that is not wanted, if the name is of one that is.
    const ofOthers = ['Census Tract 402.02; Kent County; Delaware', 'Census Tract 2; Kent County; Maryland'];
    const elsewhere = recordingSink(['10']);
    const slipped = [{}, ...ofOthers.map((LOCATION) => ({ FIPS: '24001000100', LOCATION }))];
    await readInto(elsewhere, fakeFile('SVI_2022_US.csv', svi(slipped)));
    expect(Object.fromEntries(elsewhere.onlyTally().rejected)).toEqual({ 'GEOID contradicts the tract name': 1 });
    expect(Object.fromEntries(elsewhere.onlyTally().leftOut)).toEqual({ 'other state': 1 });
  });

  it('repairs a lost zero, and accounts for every row that it does not keep', async () => {
    const sink = recordingSink(['10', '01']);
    const text = `${svi([
      {},
      { RPL_THEMES: '0.1' },
      { FIPS: '1001020100', LOCATION: 'Census Tract 201; Autauga County; Alabama' },
      { FIPS: '1.0001E10' },
      { FIPS: '11001000101', LOCATION: 'Census Tract 1.01; District of Columbia; District of Columbia' },
      { FIPS: '03001000101' },
    ])}1,2,3\n`;
    await readInto(sink, fakeFile('SVI_2022_US.csv', text));
    const layer = sink.layer('SVI');
    expect(paddedOf(layer)).toEqual([
      ['10001040100', false],
      ['01001020100', true],
    ]);
    const tally = sink.onlyTally();
    expect(tally).toMatchObject({ read: 7, rejectedRows: 4, leftOutRows: 1 });
    expect(Object.fromEntries(tally.rejected)).toMatchObject({
      'not a tract GEOID': 1,
      'GEOID rounded, as by a spreadsheet: download the file again': 1,
      'ragged row': 1,
    });
  });

  it.each([
    [2020, 2020, 'Census Tract 401, Kent County, Delaware'],
    [2022, 2020, 'Census Tract 401; Kent County; Delaware'],
  ])('tells %d by how a place is written', async (year, tractVintage, LOCATION) => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('Delaware.csv', svi([{ LOCATION }])));
    expect(sink.layer('SVI (state-ranked)').key).toMatchObject({ year, tractVintage });
    expect(sink.countyNames.get('10001')).toBe('Kent County');
  });

  it.each([2014, 2016, 2018])('reads %d on 2010 tracts, by its name or its folder', async (year) => {
    const text = svi([{}], before2020('Census Tract 401, Kent County, Delaware'));
    for (const path of [`svi_${year}_DE.csv`, `svi/${year}/Delaware.csv`]) {
      const sink = recordingSink();
      await readInto(sink, fakeFile(path, text));
      expect(sink.layer('SVI (state-ranked)').key).toMatchObject({ year, tractVintage: 2010 });
    }
  });

  it.each([
    [
      'SVI2020_WYOMING_tract.csv',
      ';',
      'its name says 2020, but its place names say 2022: that release writes them with semicolons',
    ],
    ['SVI_2022_US.csv', ',', 'its name says 2022, but its place names say 2020: that release writes them with commas'],
  ])('refuses a name of another year than the way in which places are written: %s', async (name, mark, reason) => {
    const LOCATION = `Census Tract 401${mark} Kent County${mark} Delaware`;
    expect(await refusalOf(fakeFile(name, svi([{ LOCATION }])))).toBe(reason);
  });

  it('takes a table for the year of its name where one place alone is written otherwise', async () => {
    const sink = recordingSink();
    const places = [',', ';', ';'].map((mark, at) => ({
      ...{ FIPS: `1000104010${at}`, LOCATION: `Census Tract 401${mark} Kent County${mark} Delaware` },
    }));
    await readInto(sink, fakeFile('SVI_2022_DE.csv', svi(places)));
    expect(sink.layer('SVI (state-ranked)').key).toMatchObject({ year: 2022 });
  });

  it.each([
    ['SVI_2020_DE_downloaded_2022-11-03.csv', ',', 2020],
    ['SVI2020_DELAWARE_tract 2022.csv', ',', 2020],
    ['SVI_2022_DE_2020tracts.csv', ';', 2022],
  ])('of two years in a name takes the one that the rows are of: %s', async (name, mark, year) => {
    const sink = recordingSink();
    const LOCATION = `Census Tract 401${mark} Kent County${mark} Delaware`;
    await readInto(sink, fakeFile(name, svi([{ LOCATION }])));
    expect(sink.layer('SVI (state-ranked)').key).toMatchObject({ year });
  });

  it('refuses where nothing says which year, or the name contradicts the columns', async () => {
    const old = svi([{}], before2020('Census Tract 401, Kent County, Delaware'));
    expect(await refusalOf(fakeFile('Delaware.csv', old))).toContain('do not agree');
    expect(await refusalOf(fakeFile('SVI_2022_US.csv', old))).toContain('do not agree');
    expect(await refusalOf(fakeFile('SVI_2018_US.csv', svi([{}])))).toContain('do not agree');
  });

  it.each(['SVI_2024_US.csv', 'SVI2000_DELAWARE.csv'])('refuses a release that it does not know: %s', async (name) => {
    expect(await refusalOf(fakeFile(name, svi([{}])))).toBe(
      'only the releases of 2014, 2016, 2018, 2020, 2022 are supported',
    );
  });

  it.each(['SVI 2024/Delaware.csv', 'svi/2024/Delaware.csv', 'svi_2024_states.zip!DE.csv', 'Delaware SVI 2024.csv'])(
    'refuses a release after those that it knows, whose rows do not tell it from the last one: %s',
    async (path) => {
      expect(await refusalOf(fakeFile(path, svi([{}])))).toBe(
        'its name or folder says 2024, but only the releases of 2014, 2016, 2018, 2020, 2022 are supported; if it is one of these, put that year into its name',
      );
    },
  );

  it.each([
    'SVI 2024/SVI_2022_DE.csv',
    'SVI 2024/2022/Delaware.csv',
    'svi/2024/2022/Delaware.csv',
    'svi of 2022, got 2024/Delaware.csv',
    'svi/2023/Delaware.csv',
    'svi/got 2024/Delaware.csv',
    '2024/Delaware.csv',
    'svi/2098/Delaware.csv',
  ])('takes a year that is not the release’s for that of the download: %s', async (path) => {
    const sink = recordingSink();
    await readInto(sink, fakeFile(path, svi([{}])));
    expect(sink.layer('SVI (state-ranked)').key).toMatchObject({ year: 2022 });
  });

  it('refuses a county-level table', async () => {
    const text = svi([{ FIPS: '10001', LOCATION: 'Kent County, Delaware' }]);
    expect(await refusalOf(fakeFile('SVI_2022_US_county.csv', text))).toContain('county-level');
  });

  it('reads a GEOID column and ignores columns that it does not know', async () => {
    const { FIPS, ...rest } = COLUMNS;
    const sink = recordingSink();
    await readInto(sink, fakeFile('SVI_2022_US.csv', svi([{}], { ...rest, GEOID: FIPS, NEW_COLUMN: 'x' })));
    expect(sink.value('SVI (state-ranked)', FIPS, 'svi_themes.rpl_themes')).toBe(0.8673);
  });

  it('names file and columns where a rank is not there or an official name holds something else', async () => {
    const { RPL_THEME3: _, ...rest } = COLUMNS;
    const read = readInto(recordingSink(), fakeFile('x/SVI_2022_US.csv', svi([{}], rest)));
    await expect(read).rejects.toThrow(InputError);
    await expect(read).rejects.toThrow('x/SVI_2022_US.csv: columns missing: RPL_THEME3');
    const garbage = readInto(recordingSink(), fakeFile('SVI_2022_US.csv', 'a,b\n1,2\n'));
    await expect(garbage).rejects.toThrow('columns missing: FIPS or GEOID');
  });

  it('does not claim a table without ranks', async () => {
    expect(await recognizeFile(fakeFile('svi.csv', 'ST_ABBR,FIPS\nDE,10001040100\n'))).toBeUndefined();
  });
});
