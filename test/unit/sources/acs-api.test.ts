import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { fakeFile, readInto, recognizeFile, refusalOf } from '../../support/input-file.js';
import { recordingSink } from '../../support/recording-sink.js';

const HEADER = ['NAME', 'B19013_001E', 'B01003_001E', 'state', 'county', 'tract'];
/** The API puts each row on a line of its own. */
const answer = (...rows: unknown[][]): string => `[${rows.map((row) => JSON.stringify(row)).join(',\n')}]`;
const DE = '10001040100';
const ROW = ['Census Tract 401; Kent County; Delaware', '61234', '5000', '10', '001', '040100'];

describe('Census API answers', () => {
  it('reads every table of a query', async () => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('acs5_2022.json', answer(HEADER, ROW)));
    expect(sink.value('B19013', DE, 'median_household_income')).toBe(61234);
    expect(sink.value('B01003', DE, 'total_population')).toBe(5000);
    expect([...sink.countyNames]).toEqual([['10001', 'Kent County']]);
  });

  it('reads numbers, nulls and jam values', async () => {
    const sink = recordingSink();
    const text = answer(
      HEADER,
      ['Census Tract 401', null, 5000, '10', '001', '040100'],
      ['Census Tract 402', '-666666666', '12', '10', '001', '040200'],
    );
    await readInto(sink, fakeFile('acs5_2022.json', text));
    expect(sink.value('B19013', DE, 'median_household_income')).toBeNaN();
    expect(sink.value('B01003', DE, 'total_population')).toBe(5000);
    expect(sink.value('B19013', '10001040200', 'median_household_income')).toBeNaN();
  });

  it('rejects a row whose tract and name are not the same', async () => {
    const sink = recordingSink();
    const other = ['Census Tract 401; Kent County; Delaware', '1', '2', '10', '001', '040200'];
    await readInto(sink, fakeFile('acs5_2022.json', answer(HEADER, ROW, other)));
    expect(sink.value('B19013', DE, 'median_household_income')).toBe(61234);
    expect(sink.layer('B19013').size).toBe(1);
  });

  it('takes the metrics of a table that the query asked for', async () => {
    const sink = recordingSink();
    const text = answer(['DP03_0062E', 'state', 'county', 'tract'], ['70000', '10', '001', '040100']);
    await readInto(sink, fakeFile('2022/profile.json', text));
    expect(sink.value('DP03', DE, 'median_household_income')).toBe(70000);
    expect(sink.layer('DP03').key.metrics).toEqual(['median_household_income']);
  });

  it('reads the answer to a query by GEO_ID, as data.census.gov words it, and leaves out other geographies', async () => {
    const sink = recordingSink();
    const header = ['GEO_ID', 'NAME', 'B19013_001E', 'ucgid'];
    const [name, tract, state] = [ROW[0], `1400000US${DE}`, '0400000US10'];
    const text = answer(header, [tract, name, '61234', tract], [state, 'Delaware', '80000', state]);
    await readInto(sink, fakeFile('acs5_2022.json', text));
    expect(sink.value('B19013', DE, 'median_household_income')).toBe(61234);
    expect(sink.onlyTally()).toMatchObject({ read: 2, kept: 1 });
    expect(Object.fromEntries(sink.onlyTally().leftOut)).toEqual({ 'not a tract': 1 });
  });

  it.each([
    ['0500000US10001', 'county-level'],
    ['1500000US100010401001', 'block-group table'],
  ])('refuses the answer to a query by GEO_ID without any tract: %s', async (geoId, why) => {
    const text = answer(['B19013_001E', 'ucgid'], ['61234', geoId]);
    const read = readInto(recordingSink(), fakeFile('acs5_2022.json', text));
    await expect(read).rejects.toThrow(why);
  });

  it('accounts for ragged rows and bad GEOIDs', async () => {
    const sink = recordingSink();
    const header = ['B01003_001E', 'state', 'county', 'tract'];
    const text = answer(header, ['5', '10', '001', '040100'], ['5', '10', '001'], ['5', '10', '001', '4']);
    await readInto(sink, fakeFile('acs5_2022.json', text));
    expect(sink.onlyTally()).toMatchObject({ read: 3, kept: 1 });
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({ 'ragged row': 1, 'not a tract GEOID': 1 });
  });

  it('refuses an answer by county and one of an unknown year', async () => {
    const byCounty = answer(['B19013_001E', 'state', 'county'], ['1', '10', '001']);
    expect(await refusalOf(fakeFile('acs5_2022.json', byCounty))).toContain('county-level');
    expect(await refusalOf(fakeFile('income.json', answer(HEADER, ROW)))).toMatch(/gives? its year/);
  });

  it.each(['block group', 'block'])('refuses an answer by %s: it has a tract in every row', async (level) => {
    const text = answer([...HEADER, level], [...ROW, '1'], [...ROW, '2']);
    expect(await refusalOf(fakeFile('acs5_2022.json', text))).toContain('block-group table');
  });

  it('fails with the file’s name on an answer without a row', async () => {
    const read = readInto(recordingSink(), fakeFile('acs5_2022.json', answer(HEADER)));
    await expect(read).rejects.toThrow('acs5_2022.json: no rows below its header');
  });

  it('fails with the file’s name on JSON that is cut off or no array of arrays', async () => {
    const cut = readInto(recordingSink(), fakeFile('acs5_2022.json', answer(HEADER, ROW).slice(0, -20)));
    await expect(cut).rejects.toThrow(InputError);
    await expect(cut).rejects.toThrow(/^acs5_2022\.json: broken JSON .*; is the download complete\?$/);
    const odd = readInto(recordingSink(), fakeFile('acs5_2022.json', `[${JSON.stringify(HEADER)},{"a":1}]`));
    await expect(odd).rejects.toThrow('acs5_2022.json: not a Census API answer');
  });

  it('does not claim other JSON', async () => {
    expect(await recognizeFile(fakeFile('acs5_2022.json', '[["a","b"],["1","2"]]'))).toBeUndefined();
    expect(await recognizeFile(fakeFile('x2022.json', '{"type":"FeatureCollection"}'))).toBeUndefined();
  });
});
