import { describe, expect, it } from 'vitest';
import { stateByFips } from '../../../src/core/states.js';
import { InputError } from '../../../src/load/input.js';
import { csvText, fakeFile, readInto, recognizeFile, refusalOf } from '../../support/input-file.js';
import { geoidOf, paddedOf } from '../../support/layers.js';
import { recordingSink } from '../../support/recording-sink.js';

const LONG_HEADER = (
  'Year,StateAbbr,StateDesc,CountyName,CountyFIPS,LocationName,DataSource,Category,Measure,Data_Value_Unit,Data_Value_Type,' +
  'Data_Value,Data_Value_Footnote_Symbol,Data_Value_Footnote,Low_Confidence_Limit,High_Confidence_Limit,TotalPopulation,' +
  'Geolocation,LocationID,CategoryID,MeasureId,DataValueTypeID,Short_Question_Text'
).split(',');
const DE = '10001040100';

interface LongRow {
  readonly year?: string;
  readonly geoid?: string;
  readonly measure?: string;
  readonly value?: string;
  readonly type?: string;
  readonly state?: string;
  readonly county?: string;
}

const stateOf = (geoid: string): string => stateByFips(geoid.padStart(11, '0').slice(0, 2))?.abbreviation ?? '';

const longRow = ({
  year = '2021',
  geoid = DE,
  measure = 'DIABETES',
  value = '11.5',
  type = 'CrdPrv',
  ...row
}: LongRow) => [
  ...[
    year,
    row.state ?? stateOf(geoid),
    'Delaware',
    'Kent',
    row.county ?? geoid.slice(0, -6),
    geoid,
    'BRFSS',
    'Health Outcomes',
    'Diabetes',
    '%',
  ],
  ...[type === 'CrdPrv' ? 'Crude prevalence' : 'Age-adjusted prevalence', value, '', '', '1', '2', '4000'],
  ...['POINT (-75.6 39.2)', geoid, 'HLTHOUT', measure, type, 'Diabetes'],
];
const long = (...rows: LongRow[]): string => csvText([LONG_HEADER, ...rows.map(longRow)]);
const longFile = (...rows: LongRow[]) => fakeFile('PLACES_Census_Tract_Data_2023_release_20240130.csv', long(...rows));

/** Of a state, or a county, other than the row's: as a GEOID column that was sorted alone has them. */
const TWO_PLACES = 'GEOID contradicts the state or county';

describe('PLACES, long layout', () => {
  it('rejects rows that name another state or county than their GEOID', async () => {
    const sink = recordingSink();
    await readInto(
      sink,
      longFile(
        {},
        { geoid: '10003000200', state: 'MD' },
        { geoid: '10003000300', county: '10001' },
        { geoid: '10003000400', state: 'Delaware', county: 'New Castle' },
        { geoid: '06037101110', county: '6037' },
      ),
    );
    expect([...sink.layer('PLACES').positions.keys()]).toEqual([DE, '10003000400', '06037101110']);
    const tally = sink.onlyTally();
    expect(Object.fromEntries(tally.rejected)).toEqual({ [TWO_PLACES]: 2 });
    expect(tally.examples.get(TWO_PLACES)?.[0]).toMatchObject({
      geoid: '10003000200',
      column: 'StateAbbr',
      value: 'MD',
    });
  });

  it('rejects rows of a state that is not loaded if they name one that is, and of two that are not leaves them out', async () => {
    const sink = recordingSink(['10']);
    await readInto(sink, longFile({}, { geoid: '24001000100', state: 'DE' }, { geoid: '24001000100', state: 'VA' }));
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({ [TWO_PLACES]: 1 });
    expect(Object.fromEntries(sink.onlyTally().leftOut)).toEqual({ 'other state': 1 });
  });

  it('takes a county’s other code for the same county in states that have given some a new one', async () => {
    const sink = recordingSink();
    await readInto(
      sink,
      longFile(
        { geoid: '02158000100', county: '02270' },
        { geoid: '09110410101', county: '09003' },
        { geoid: '46102940500', county: '46113' },
        { geoid: '51019050100', county: '51515' },
      ),
    );
    expect(sink.onlyTally()).toMatchObject({ kept: 4, rejectedRows: 0 });
  });

  it('gathers a tract’s measures from rows in any order, whatever year each is of', async () => {
    const sink = recordingSink();
    await readInto(
      sink,
      longFile(
        { measure: 'DIABETES', value: '11.5' },
        { geoid: '10001040201', measure: 'OBESITY', value: '30' },
        { measure: 'SLEEP', value: '35.5', year: '2020' },
      ),
    );
    expect(sink.value('PLACES', DE, 'places_measures.diabetes')).toBe(11.5);
    expect(sink.value('PLACES', DE, 'places_measures.sleep')).toBe(35.5);
    expect(sink.value('PLACES', DE, 'places_measures.obesity')).toBeNaN();
    expect(sink.value('PLACES', '10001040201', 'places_measures.obesity')).toBe(30);
    expect(sink.layer('PLACES').key).toMatchObject({ year: 2023, tractVintage: 2010, label: 'CDC PLACES 2023' });
    const layer = sink.layer('PLACES');
    layer.leave(geoidOf(DE), 'unwanted');
    expect(layer.tally).toMatchObject({ leftOutRows: 2, kept: 1 });
    expect(sink.countyNames.get('10001')).toBe('Kent');
  });

  it('leaves out other measures and what is no crude prevalence, and accounts for every row', async () => {
    const sink = recordingSink(['10']);
    await readInto(
      sink,
      longFile(
        {},
        {},
        { value: '9' },
        { measure: 'STROKE' },
        { type: 'AgeAdjPrv', value: '10.9' },
        { geoid: '11001000101' },
        { geoid: 'x' },
        { measure: 'CHD', value: '' },
        { measure: 'LPA', value: '101' },
        { measure: 'BINGE', value: 'n/a' },
      ),
    );
    const tally = sink.onlyTally();
    expect(tally).toMatchObject({ read: 10, kept: 4 });
    expect(Object.fromEntries(tally.leftOut)).toEqual({
      'duplicate row': 1,
      'another measure': 1,
      'not a crude prevalence': 1,
      'other state': 1,
    });
    expect(Object.fromEntries(tally.rejected)).toEqual({
      'duplicate tract and measure with another value': 1,
      'not a tract GEOID': 1,
    });
    expect(Object.fromEntries(tally.notes)).toEqual({ 'value out of range': 1, 'value is not a number': 1 });
    expect(sink.value('PLACES', DE, 'places_measures.diabetes')).toBe(11.5);
  });

  it('tells crude prevalences by their type in any case, and rejects a type that it does not know', async () => {
    const sink = recordingSink();
    const text = long({}, { measure: 'CHD' }, { measure: 'LPA', value: '30' }).replace('CrdPrv', 'CRDPRV');
    await readInto(
      sink,
      fakeFile('PLACES_Census_Tract_Data_2023_release.csv', text.replace('LPA,CrdPrv', 'LPA,Crude')),
    );
    const tally = sink.onlyTally();
    expect([...sink.layer('PLACES').key.metrics]).toEqual(['places_measures.diabetes', 'places_measures.chd']);
    expect(Object.fromEntries(tally.rejected)).toEqual({ 'unknown type of value': 1 });
    expect(tally.examples.get('unknown type of value')).toEqual([
      { row: 4, geoid: DE, column: 'DataValueTypeID', value: 'Crude' },
    ]);
  });

  it('repairs GEOIDs that lost their zero and marks the tract', async () => {
    const sink = recordingSink();
    await readInto(sink, longFile({ geoid: '6027000800' }));
    expect(paddedOf(sink.layer('PLACES'))).toEqual([['06027000800', true]]);
    expect(sink.countyNames.size).toBe(0);
  });

  it('takes the release from a name after PLACES, be a day of download in it or not', async () => {
    for (const name of [
      'PLACES__Local_Data_for_Better_Health__Census_Tract_Data_2024_release_20260115.csv',
      'PLACES__Local_Data_for_Better_Health,_Census_Tract_Data,_2024_release_2026-01-15.csv',
    ]) {
      const sink = recordingSink();
      await readInto(sink, fakeFile(`2021/${name}`, long({ year: '2022' })));
      expect(sink.layer('PLACES').key).toMatchObject({ year: 2024, tractVintage: 2020 });
    }
  });

  it.each(['tracts.csv', 'load-2026/rows.csv', 'places/2024/tracts.csv', 'tracts_2024.csv'])(
    'takes the release from the newest year in the rows where the name is %s, whatever folders say',
    async (path) => {
      const byRows = recordingSink();
      await readInto(byRows, fakeFile(path, long({ year: '2018' }, { measure: 'CHD', year: '2019' })));
      expect(byRows.layer('PLACES').key).toMatchObject({ year: 2021, tractVintage: 2010 });
      expect(byRows.onlyTally()).toMatchObject({ product: 'CDC PLACES 2021', read: 2 });
    },
  );

  it('rejects rows of a year that the release in its name has not, and takes those of questions asked every other year', async () => {
    const sink = recordingSink();
    const rows = [
      { year: '2021' },
      { year: '2020', geoid: '10001040201' },
      { year: '2022', geoid: '10001040202' },
      { year: '2020', measure: 'SLEEP' },
      { year: '2020', measure: 'DENTAL' },
      { year: '2019', measure: 'BPHIGH', geoid: '10001040202' },
      { year: '', geoid: '10001040300' },
    ];
    await readInto(sink, longFile(...rows));
    const { rejected, examples, kept } = sink.onlyTally();
    const reason = 'year of another release than its file’s name gives';
    expect([Object.fromEntries(rejected), kept]).toEqual([{ [reason]: 3 }, 4]);
    expect(examples.get(reason)?.[0]).toEqual({ row: 3, geoid: '10001040201', column: 'Year', value: '2020' });
  });

  it('does not judge by its years a release after those that are known', async () => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('PLACES_Census_Tract_Data_2026_release.csv', long({ year: '2022' })));
    expect(sink.onlyTally()).toMatchObject({ read: 1, kept: 1 });
  });

  it('is of 2024 or later if it counts adults, although its only measure is of a survey before', async () => {
    const header = LONG_HEADER.toSpliced(LONG_HEADER.indexOf('TotalPopulation') + 1, 0, 'TotalPop18plus');
    const row = longRow({ measure: 'BPHIGH', year: '2021' });
    const text = csvText([header, row.toSpliced(header.indexOf('TotalPop18plus'), 0, '3000')]);
    const sink = recordingSink();
    await readInto(sink, fakeFile('rows.csv', text));
    expect(sink.layer('PLACES').key).toMatchObject({ year: 2024, tractVintage: 2020 });
    expect(sink.value('PLACES', DE, 'places_measures.bphigh')).toBe(11.5);
    const named = fakeFile('PLACES_Census_Tract_Data_2023_release_20240130.csv', text);
    expect(await refusalOf(named)).toContain('its columns say 2024 or later');
  });

  it('holds the measures that it has rows of, even without a value, and no others', async () => {
    const sink = recordingSink();
    const rows = [{ measure: 'CHD', value: '' }, { measure: 'BINGE', geoid: '10003000200' }, { measure: 'STROKE' }];
    await readInto(sink, longFile(...rows, { measure: 'SLEEP', type: 'AgeAdjPrv' }));
    expect([...sink.layer('PLACES').key.metrics].sort()).toEqual(['places_measures.binge', 'places_measures.chd']);
    expect(sink.value('PLACES', '10003000200', 'places_measures.binge')).toBe(11.5);
    expect(sink.value('PLACES', DE, 'places_measures.chd')).toBeNaN();
  });

  it('fails by name where a download was cut off below its header', async () => {
    const read = readInto(recordingSink(), longFile());
    await expect(read).rejects.toThrow('PLACES_Census_Tract_Data_2023_release_20240130.csv: no rows below its header');
  });

  it('refuses tables of counties and places', async () => {
    expect(await refusalOf(longFile({ geoid: '10001' }))).toContain('no census tracts');
    expect(await refusalOf(longFile({ geoid: '1077580' }))).toContain('no census tracts');
  });

  it('does not claim the list of measures', async () => {
    expect(await recognizeFile(fakeFile('lookup.csv', 'MeasureID,CategoryID\nCHD,HLTHOUT\n'))).toBeUndefined();
  });

  it('names file and columns that are not there', async () => {
    const text = csvText([LONG_HEADER.filter((name) => !/^Data_?Value_?Type/i.test(name))]);
    const read = readInto(recordingSink(), fakeFile('p/PLACES_2023.csv', text));
    await expect(read).rejects.toThrow(InputError);
    await expect(read).rejects.toThrow('p/PLACES_2023.csv: columns missing: DataValueTypeID or Data_Value_Type');
  });
});

const WIDE_HEADER =
  'StateAbbr,StateDesc,CountyName,CountyFIPS,TractFIPS,TotalPopulation,ACCESS2_CrudePrev,ACCESS2_Crude95CI,' +
  'STROKE_CrudePrev,STROKE_Crude95CI,DIABETES_CrudePrev,DIABETES_Crude95CI,Geolocation';
const wideRow = (geoid: string, access2: string, diabetes: string): string =>
  `DE,Delaware,Kent,10001,${geoid},4000,${access2},"( 5.1,  7.0)",3.1,"( 2.9,  3.3)",${diabetes},"( 9.9, 11.0)",POINT (-75.6 39.2)`;
const WIDE_TEXT = `${WIDE_HEADER}\n${wideRow(DE, '6.1', '10.4')}\n`;
const wide = (...rows: string[]) =>
  fakeFile(
    'PLACES__Census_Tract_Data__GIS_Friendly_Format___2024_release.csv',
    `${[WIDE_HEADER, ...rows].join('\n')}\n`,
  );

describe('PLACES, wide layout', () => {
  it('reads crude prevalences, and holds no measure that a release has not', async () => {
    const sink = recordingSink();
    await readInto(sink, wide(wideRow(DE, '6.1', '10.4')));
    expect(sink.value('PLACES', DE, 'places_measures.access2')).toBe(6.1);
    expect(sink.value('PLACES', DE, 'places_measures.diabetes')).toBe(10.4);
    expect(sink.layer('PLACES').holds('10', 'places_measures.diabetes')).toBe(true);
    expect(sink.layer('PLACES').holds('10', 'places_measures.binge')).toBe(false);
    expect(sink.layer('PLACES').key).toMatchObject({ year: 2024, tractVintage: 2020 });
  });

  it('rejects rows that name another county than their GEOID', async () => {
    const sink = recordingSink();
    await readInto(sink, wide(wideRow(DE, '6.1', '10.4'), wideRow('10003000200', '6.1', '10.4')));
    expect([...sink.layer('PLACES').positions.keys()]).toEqual([DE]);
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({ [TWO_PLACES]: 1 });
  });

  it('accounts for every row that it does not keep', async () => {
    const sink = recordingSink();
    await readInto(sink, wide(wideRow(DE, '', '10.4'), wideRow(DE, '1', '10.4'), wideRow('10001', '1', '1'), 'DE,1'));
    expect(sink.value('PLACES', DE, 'places_measures.access2')).toBeNaN();
    expect(sink.onlyTally()).toMatchObject({ read: 4, kept: 1 });
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({
      'duplicate GEOID with other values': 1,
      'not a tract GEOID': 1,
      'ragged row': 1,
    });
  });

  it('refuses a county table and one of an unknown release', async () => {
    const county = 'StateAbbr,CountyName,CountyFIPS,DIABETES_CrudePrev\nDE,Kent,10001,11\n';
    expect(await refusalOf(fakeFile('PLACES_county_2023.csv', county))).toContain('no census tracts');
    expect(await refusalOf(fakeFile('tracts.csv', WIDE_TEXT))).toContain('gives its release');
  });

  it('refuses 500 Cities, whose rows are the parts of tracts in each city, wherever it lies', async () => {
    const header =
      'StateAbbr,PlaceName,PlaceFIPS,TractFIPS,Place_TractID,Population2010,DIABETES_CrudePrev,Geolocation';
    const text = `${header}\nDE,Dover,1021200,${DE},1021200-${DE},4000,10.4,"(39.2, -75.6)"\n`;
    const name = '500_Cities__Census_Tract-level_Data__GIS_Friendly_Format___2019_release.csv';
    for (const folder of ['places-2021', '2022', 'load']) {
      expect(await refusalOf(fakeFile(`${folder}/${name}`, text)), folder).toContain('parts of tracts');
    }
  });

  it.each([
    'places/2023/tracts.csv',
    'places-2023/tracts.csv',
    '2023_release.zip!tracts.csv',
    '2023/PLACES 2023/t.csv',
  ])('takes the release from a folder that says one: %s', async (path) => {
    const sink = recordingSink();
    await readInto(sink, fakeFile(path, WIDE_TEXT));
    expect(sink.layer('PLACES').key).toMatchObject({ year: 2023, tractVintage: 2010 });
  });

  it.each([
    ['load-2026/rows.csv', 'neither its name nor its folder gives its release'],
    ['2022/2023/rows.csv', 'its folders give different releases (2022 and 2023)'],
    ['2049/rows.csv', 'its folder gives release 2049, but only 2020 to 2026 are accepted from a folder'],
    ['places-2027/rows.csv', 'its folder gives release 2027, but only 2020 to 2026 are accepted from a folder'],
    ['2015/rows.csv', 'its folder gives release 2015, but only 2020 to 2026 are accepted from a folder'],
  ])('refuses one whose folders give no release, two, or an impossible one, and says which: %s', async (path, why) => {
    expect(await refusalOf(fakeFile(path, WIDE_TEXT))).toBe(`${why}; name it as the agency does`);
  });

  it('refuses a release of up to 2023 with the column of those since 2024: they are on other tracts', async () => {
    const text = WIDE_TEXT.replace('STROKE_Crude95CI', 'TotalPop18plus');
    for (const path of ['places/2023/tracts.csv', 'PLACES_GIS_Friendly_Format_2022_release.csv']) {
      expect(await refusalOf(fakeFile(path, text)), path).toContain('its columns say 2024 or later');
    }
    const sink = recordingSink();
    await readInto(sink, fakeFile('places/2025/tracts.csv', text));
    expect(sink.layer('PLACES').key).toMatchObject({ year: 2025, tractVintage: 2020 });
  });

  it.each([
    [2020, 'GHLTH', '2021 or later: earlier'],
    [2022, 'HEARING', '2023 or later: earlier'],
    [2023, 'FOODSTAMP', '2024 or later: earlier'],
    [2024, 'LONELINESS', '2025 or later: earlier'],
    [2024, 'KIDNEY', '2023 or earlier: later'],
  ])('refuses one of %d with a measure of other releases, %s', async (release, measure, which) => {
    const text = WIDE_TEXT.replace('STROKE', measure);
    const why = await refusalOf(fakeFile(`PLACES_GIS_Friendly_Format_${release}_release.csv`, text));
    expect(why).toBe(
      `its name or folder says ${release}, but its columns say ${which} releases have no column ${measure}_CrudePrev`,
    );
  });

  it('takes the measures of its release', async () => {
    for (const [release, measure] of [
      [2021, 'GHLTH'],
      [2023, 'HEARING'],
      [2023, 'KIDNEY'],
      [2025, 'LONELINESS'],
    ] as const) {
      const sink = recordingSink();
      const text = WIDE_TEXT.replace('STROKE', measure);
      await readInto(sink, fakeFile(`PLACES_GIS_Friendly_Format_${release}_release.csv`, text));
      expect(sink.layer('PLACES').key).toMatchObject({ year: release });
    }
  });

  it('names the column of the tracts if it has another name, and calls no such table one of larger areas', async () => {
    const name = 'PLACES__Census_Tract_Data__GIS_Friendly_Format___2024_release.csv';
    const file = fakeFile(
      name,
      csvText([
        ['StateAbbr', 'TractID', 'DIABETES_CrudePrev'],
        ['DE', DE, '11.5'],
      ]),
    );
    await expect(readInto(recordingSink(), file)).rejects.toThrow(`${name}: columns missing: TractFIPS`);
  });

  it('names file and columns where an official name holds something else', async () => {
    const read = readInto(
      recordingSink(),
      fakeFile('PLACES__Census_Tract_Data__GIS_Friendly_Format___2023_release.csv', 'a,b\n1,2\n'),
    );
    await expect(read).rejects.toThrow('columns missing: TractFIPS');
  });
});
