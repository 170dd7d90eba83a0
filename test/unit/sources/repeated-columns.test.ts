import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { counties, DE, DE_NAME, GEO, quoted } from '../../support/acs-csv.js';
import { fakeFile, readInto } from '../../support/input-file.js';
import { npiAt, physician, registryText } from '../../support/nppes.js';
import {
  acsDatText,
  cenpopText,
  crosswalkText,
  ejscreenText,
  gazetteerText,
  placesWideText,
  relationshipText,
  sviText,
} from '../../support/official-files.js';
import { recordingSink } from '../../support/recording-sink.js';
import { DELAWARE } from '../../support/small-input.js';

/** The text with columns of these names behind its others, with the same in all of their cells. */
function widened(text: string, delimiter: string, names: readonly string[], cell = '1'): string {
  const lines = text.trimEnd().split('\n');
  return lines
    .map((line, index) => [line, ...names.map((name) => (index === 0 ? name : cell))].join(delimiter))
    .join('\n');
}

const PLACES_LONG = [
  'Year,LocationName,Category,Measure,Data_Value,Data_Value_Type,LocationID,MeasureId,CountyName',
  `2022,${DE},x,Diabetes,11.5,Crude prevalence,${DE},DIABETES,Kent`,
].join('\n');

/** A file of each source, and the position of one of its columns that is read. */
const FILES: readonly (readonly [name: string, text: string, delimiter: string, column: string, at: number])[] = [
  ['2023_Gaz_tracts_national.txt', gazetteerText(DELAWARE), '\t', 'INTPTLAT', 7],
  ['CenPop2020_Mean_TR.txt', cenpopText({ [DE]: 4000 }), ',', 'STATEFP', 1],
  ['SVI_2022_US.csv', sviText({ [DE]: [0.1, 0.2, 0.3, 0.4, 0.5] }), ',', 'RPL_THEMES', 9],
  ['SVI_2022_US.csv', sviText({ [DE]: [0.1, 0.2, 0.3, 0.4, 0.5] }), ',', 'LOCATION', 4],
  [
    'PLACES_2024_GIS_Friendly_Census_Tract_Data.csv',
    placesWideText(['SLEEP'], { [DE]: [30] }),
    ',',
    'SLEEP_CrudePrev',
    7,
  ],
  ['PLACES_2024_Census_Tract_Data.csv', PLACES_LONG, ',', 'Data_Value', 5],
  [
    'EJSCREEN_2023_Tracts.csv',
    ejscreenText({ [DE]: [7, 40, 0.2, 30, 0.3, 100, 0.25, 0.1, 0.2, 1.5, 0.01] }),
    ',',
    'PM25',
    7,
  ],
  ['ct_2022tractcrosswalk.csv', crosswalkText({ '09001010101': '09190010101' }), ',', 'tract_fips_2020', 1],
  ['tab20_tract20_tract10_natl.txt', relationshipText([[DE, DE, 1, 1, 1, 1, 1, 1]]), '|', 'AREALAND_PART', 15],
  ['acsdt5y2022-b19013.dat', acsDatText(['B19013_E001'], { [DE]: [50_000] }), '|', 'GEO_ID', 1],
  ['npidata_pfile_20050523-20240107.csv', registryText(physician({ NPI: npiAt(0) })), ',', 'NPI', 1],
];

const width = (text: string, delimiter: string): number => text.slice(0, text.indexOf('\n')).split(delimiter).length;
/** Reads a file, and gives what became of its rows. */
async function read(name: string, text: string) {
  const sink = recordingSink();
  await readInto(sink, fakeFile(`in/${name}`, text));
  return Array.from(sink.tallies.values(), ({ product, read: rows, kept, rejected, leftOut, notes }) => ({
    product,
    rows,
    kept,
    rejected,
    leftOut,
    notes,
  }));
}

describe('a column that is read and is there twice', () => {
  it.each(FILES)('ends the compile by file, name and positions: %s', async (name, text, delimiter, column, at) => {
    const again = read(name, widened(text, delimiter, ['FURTHER', ` ${column.toLowerCase()}`]));
    await expect(again).rejects.toThrow(InputError);
    const message = `in/${name}: column ${column} occurs twice (columns ${at} and ${width(text, delimiter) + 2})`;
    await expect(again).rejects.toThrow(message);
  });

  it('does so as an estimate of ACS, in data.census.gov’s layout and in that of the summary file', async () => {
    const header = ['GEO_ID', 'NAME', 'B19013_001E', 'B19013_001M'];
    const row = [GEO + DE, DE_NAME, '61234', '12'];
    const csv = read('ACSDT5Y2022.B19013-Data.csv', quoted([...header, 'B19013_001E'], [...row, '61234']));
    await expect(csv).rejects.toThrow('column B19013_001E occurs twice (columns 3 and 5)');
    const [profile, twice] = [['GEO_ID', 'NAME', 'DP05_0001E', 'DP05_0018E'], 'DP05_0018E'];
    const two = read('ACSDP5Y2022.DP05-Data.csv', quoted([...profile, twice], [GEO + DE, DE_NAME, '4000', '39', '39']));
    await expect(two).rejects.toThrow('column DP05_0018E occurs twice (columns 4 and 5)');
    const dat = acsDatText(['B19013_E001', 'B19013_M001', 'b19013_e001'], { [DE]: [50_000, 9, 50_000] });
    const name = 'acsdt5y2022-b19013.dat';
    await expect(read(name, dat)).rejects.toThrow(`in/${name}: column B19013_001E occurs twice (columns 2 and 4)`);
  });
});

describe('columns that are there twice', () => {
  it.each(FILES)('do no harm where they are not read: %s', async (name, text, delimiter) => {
    const plain = await read(name, text);
    expect(await read(name, widened(text, delimiter, ['FURTHER', 'FURTHER']))).toEqual(plain);
    expect(await read(name, widened(text, delimiter, ['', ''], ''))).toEqual(plain);
  });

  it('do none as margins of error or estimates that are not used, or without a name', async () => {
    const header = ['GEO_ID', 'NAME', 'B19013_001E', 'B19013_001M', 'B19013_001M', 'B19013_002E', 'B19013_002E', ''];
    const row = [GEO + DE, DE_NAME, '61234', '12', '12', '1', '1', ''];
    const sink = recordingSink();
    await readInto(
      sink,
      fakeFile(
        'ACSDT5Y2022.B19013-Data.csv',
        quoted(header, row, ...counties(1).map((cells) => [...cells, '', '', '', ''])),
      ),
    );
    expect(sink.value('B19013', DE, 'median_household_income')).toBe(61234);
  });

  it('do none in a Census API answer, which has twice what was asked for twice', async () => {
    const answer = [
      ['NAME', 'B19013_001E', 'GEO_ID', 'NAME', 'B19013_001E', 'state', 'county', 'tract'],
      [DE_NAME, '61234', GEO + DE, DE_NAME, '61234', '10', '001', '040100'],
    ];
    const sink = recordingSink();
    await readInto(sink, fakeFile('acs5_2022.json', JSON.stringify(answer)));
    expect(sink.value('B19013', DE, 'median_household_income')).toBe(61234);
  });
});
