import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import type { Tally } from '../../../src/load/intake/tally.js';
import { acsSequenceFiles } from '../../support/acs-sequences.js';
import { fakeFile, readInto } from '../../support/input-file.js';
import { locationsText, npiAt, physician, registryText } from '../../support/nppes.js';
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
import {
  extractText,
  hrsaSite,
  hrsaText,
  rhcText,
  zctaGazetteerText,
  zctaTractText,
} from '../../support/provider-files.js';
import { recordingSink } from '../../support/recording-sink.js';
import { DELAWARE } from '../../support/small-input.js';

const [A, B] = ['10001040100', '10001040200'];
const both = <T>(value: T): Record<string, T> => ({ [A]: value, [B]: value });
const ACS = both([50_000, 60_000]);
const SEQUENCES = acsSequenceFiles({
  year: 2013,
  state: 'de',
  tracts: [A, B].map((geoid) => ({ geoid })),
  estimate: () => 1,
});
const { archive: _, members: ESTIMATES = {} } = SEQUENCES.sequences.get('0059') ?? { archive: '' };
const PLACES_LONG =
  'Year,StateAbbr,StateDesc,CountyName,CountyFIPS,LocationName,Data_Value,Data_Value_Type,Data_Value_Footnote,LocationID,MeasureId\n' +
  [A, B].map((geoid) => `2021,DE,Delaware,Kent,10001,${geoid},1,Crude prevalence,,${geoid},DIABETES\n`).join('');

/** A file of each layout, whole, and how many columns its rows have. */
const FILES: readonly (readonly [path: string, text: string, columns: number])[] = [
  ['2023_Gaz_tracts_national.txt', gazetteerText(DELAWARE), 8],
  ['2023_Gaz.zip!2023_Gaz_tracts_national.txt', gazetteerText(DELAWARE), 8],
  ['CenPop2020_Mean_TR.txt', cenpopText(both(4000)), 6],
  ['acsdt5y2022-b17001.dat', acsDatText(['B17001_E001', 'B17001_E002'], ACS), 3],
  [
    'ACSDT5Y2022.B19013-Data.csv',
    `GEO_ID,NAME,B19013_001E,B19013_001M,\nGeography,Name,Estimate,Margin,\n${[A, B].map((geoid) => `1400000US${geoid},x,1,1,\n`).join('')}`,
    4,
  ],
  ['Delaware 2022.csv', sviText(both([0.1, 0.2, 0.3, 0.4, 0.5])), 9],
  ['EJSCREEN_2023_Tracts.csv', ejscreenText(both([7, 40, 0.2, 30, 0.3, 100, 0.25, 0.1, 0.2, 1.5, 0.01])), 17],
  ['PLACES_2024_release.csv', placesWideText(['DIABETES', 'CHD'], both([10, 5])), 10],
  ['PLACES__Local_Data__Census_Tract_Data_2023_release.csv', PLACES_LONG, 11],
  ['ct_2022tractcrosswalk.csv', crosswalkText({ '09001010101': '09190010101', '09001010102': '09190010102' }), 4],
  [
    'tab20_tract20_tract10_natl.txt',
    relationshipText([
      [A, A, 1, 1, 1, 1, 1, 1],
      [B, B, 1, 1, 1, 1, 1, 1],
    ]),
    16,
  ],
  [
    'npidata_pfile_20050523-20240107.csv',
    registryText(physician({ NPI: npiAt(0) }), physician({ NPI: npiAt(1) })),
    330,
  ],
  [
    'pl_pfile_20050523-20240107.csv',
    locationsText(...[0, 1].map((at) => [npiAt(at), '1 A ST', '', 'X', 'DE', '19901'])),
    10,
  ],
  ['sites.csv', hrsaText(hrsaSite({}), hrsaSite({ 'Site Name': 'Another' })), 26],
  ['clinics.csv', rhcText([npiAt(0), 'Clinic', '19901'], [npiAt(1), 'Clinic', '19901']), 20],
  [
    'providers.csv',
    extractText([npiAt(0), 'A', '207Q00000X', '39', '-75', A], [npiAt(1), 'B', '207Q00000X', '39', '-75', A]),
    12,
  ],
  ['2023_Gaz_zcta_national.txt', zctaGazetteerText(['19901', 39, -75], ['19902', 39, -75]), 7],
  ['tab20_zcta520_tract20_natl.txt', zctaTractText(['19901', A, 1], ['19902', B, 1]), 7],
  ['acs-seq/2013/ACS_5yr_Seq_Table_Number_Lookup.txt', SEQUENCES.lookup, 9],
  [`acs-seq/2013/${SEQUENCES.geography[0]}`, SEQUENCES.geography[1], 53],
  ...Object.entries(ESTIMATES)
    .slice(0, 1)
    .map(([name, text]) => [`acs-seq/2013/${name}`, text, 32] as const),
];

/**
 * Reads a file; an ACS sequence, and what it is read by, as a compile does. Gives how many of its rows were read, and
 * rejected.
 */
async function read(path: string, text: string): Promise<{ rows: number; rejected: number }> {
  const sink = recordingSink();
  if (!path.startsWith('acs-seq/')) {
    await readInto(sink, fakeFile(path, text));
    return accountOf(sink);
  }
  for (const [other, whole] of FILES.filter(([other]) => other.startsWith('acs-seq/'))) {
    await readInto(sink, fakeFile(other, other === path ? text : whole));
  }
  return accountOf(sink);
}

function accountOf(sink: ReturnType<typeof recordingSink>): { rows: number; rejected: number } {
  const sum = (of: (tally: Tally) => number): number =>
    [...sink.tallies.values()].reduce((total, tally) => total + of(tally), 0);
  return { rows: sum(({ read }) => read), rejected: sum(({ rejectedRows }) => rejectedRows) };
}

/** A row's first cells, one less than it has columns. */
function cutRow(row: string, columns: number): string {
  const separators = [...row.matchAll(/"[^"]*"|([,\t|])/g)].filter(([, separator]) => separator !== undefined);
  return row.slice(0, separators[columns - 2]?.index);
}

describe.each(FILES)('%s', (path, text, columns) => {
  const lines = text.trimEnd().split('\n');
  const lastLine = lines.at(-1) ?? '';
  const whole = text.slice(0, text.lastIndexOf(lastLine) + lastLine.length);

  it('is read with and without a line end behind its last row', async () => {
    const account = await read(path, text);
    expect(account.rows).toBeGreaterThan(0);
    expect(await read(path, whole)).toEqual(account);
  });

  it('is refused by name, row and columns where it is cut off within its last row', async () => {
    const cut = whole.slice(0, -lastLine.length) + cutRow(lastLine, columns);
    await expect(read(path, cut)).rejects.toThrow(InputError);
    await expect(read(path, cut)).rejects.toThrow(
      `${path}: it ends in the middle of row ${lines.length}, which has ${columns - 1} of ${columns} columns and no line break; is the download complete?`,
    );
  });
});

describe.each([
  ['as most tables are read', 'Delaware 2022.csv', sviText(both([0.1, 0.2, 0.3, 0.4, 0.5]))],
  ['as large tables are read', '2023_Gaz_zcta_national.txt', zctaGazetteerText(['19901', 39, -75])],
])('a file that is whole, %s', (_how, path, text) => {
  it.each(['\u001a', '\r\n\r\n', '  ', '\n\u001a'])('may end in %j', async (filler) => {
    const [{ rows }, filled] = [await read(path, text), await read(path, text + filler)];
    // At most it counts as a row of its own, which is none.
    expect(filled.rows - filled.rejected).toBe(rows);
    expect(filled.rejected).toBeLessThanOrEqual(1);
  });

  it('may have short rows that end in a line break, which cost themselves', async () => {
    const { rows, rejected } = await read(path, text);
    const withShortRow = { rows: rows + 1, rejected: rejected + 1 };
    expect(await read(path, `${text}10\n`)).toEqual(withShortRow);
    expect(await read(path, `${text}10\r\n`)).toEqual(withShortRow);
  });

  it('is refused where but the first cell of its last row is there', async () => {
    await expect(read(path, `${text}10`)).rejects.toThrow('which has 1 of');
  });
});

it.each(['Delaware 2022.csv', '2023_Gaz_zcta_national.txt', 'ACSDT5Y2022.B19013-Data.csv'])(
  '%s is refused where it breaks off in a web page, which may begin within a row',
  async (path) => {
    const text = FILES.find(([name]) => name === path)?.[1] ?? '';
    const row = text.trimEnd().split('\n').length + 1;
    const fault = `${path}: row ${row} is of a web page, in which the table breaks off; download it again`;
    for (const end of ['<html><body>\n504\n</body></html>\n', '10<!DOCTYPE html>\n<html>\n']) {
      await expect(read(path, text + end)).rejects.toThrow(fault);
    }
  },
);

describe('a large table', () => {
  const rows = registryText(physician({ NPI: npiAt(0) }), physician({ NPI: npiAt(1) }));
  const path = 'npidata_pfile_20050523-20240107.csv';

  it('is refused where it ends within quotes, and within their doubled ones', async () => {
    for (const end of ['"12', '"12","', '"12","A ""', '"12","A\nB']) {
      await expect(read(path, rows + end), JSON.stringify(end)).rejects.toThrow(/row [45]/);
    }
    await expect(read(path, `${rows}"12`)).rejects.toThrow(
      `${path}: it ends inside quotes in row 4, without a line break; is the download complete?`,
    );
  });

  it('may end in NUL bytes, but not behind half a row', async () => {
    await read(path, `${rows}${'\0'.repeat(600)}`);
    await read(path, `${rows.trimEnd()}${'\0'.repeat(600)}`);
    await expect(read(path, `${rows}"12${'\0'.repeat(600)}`)).rejects.toThrow('in row 4');
  });
});
