import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { csvText, fakeFile, readInto, refusalOf } from '../../support/input-file.js';
import { recordingSink } from '../../support/recording-sink.js';

const CT_HEADER = ['tract_fips_2020', 'Tract_fips_2022', 'tract_name', 'ce_name_2022', 'ce_fips_2022'];
const ctFile = (...rows: string[][]) => fakeFile('ct_2022tractcrosswalk.csv', csvText([CT_HEADER, ...rows]));
const CT_ROW = ['09013528100', '09110528100', '5281', 'Capitol Planning Region', '09110'];

describe('Connecticut crosswalk', () => {
  it('gives each move and the planning regions’ names', async () => {
    const sink = recordingSink();
    await readInto(sink, ctFile(CT_ROW));
    expect([...sink.moves]).toEqual([['09013528100', '09110528100']]);
    expect([...sink.countyNames]).toEqual([['09110', 'Capitol Planning Region']]);
  });

  it('takes no name from a row of which the region’s code is another than its tract’s, or missing', async () => {
    const sink = recordingSink();
    const moved = ['09001010101', '09190010101', '101', 'Capitol Planning Region'];
    await readInto(sink, ctFile([...moved, '09110'], ['09001010102', '09190010102', '101', 'Western', '']));
    expect(sink.moves.size).toBe(2);
    expect([...sink.countyNames]).toEqual([]);
  });

  it('repairs lost zeros, since all of it is Connecticut', async () => {
    const sink = recordingSink();
    await readInto(sink, ctFile(['9013528100', '9110528100', '5281', 'Capitol Planning Region', '9110']));
    expect([...sink.moves]).toEqual([['09013528100', '09110528100']]);
    expect(sink.countyNames.get('09110')).toBe('Capitol Planning Region');
  });

  it('rejects a row whose two tracts have different codes: a column has slipped by a row', async () => {
    const sink = recordingSink();
    await readInto(sink, ctFile(['09013528100', '09110528200', '5281', 'Capitol Planning Region', '09110']));
    expect([...sink.moves]).toEqual([]);
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({ 'the two have different tract codes': 1 });
  });

  it.each([
    ['swapped', '09110528100', '09013528100', 'the 2020 tract is in none of the eight counties'],
    ['both of 2022', '09110528100', '09110528100', 'the 2020 tract is in none of the eight counties'],
    ['both of 2020', '09013528100', '09013528100', 'the 2022 tract is in none of the nine planning regions'],
    ['of a county that is none', '09002528100', '09110528100', 'the 2020 tract is in none of the eight counties'],
    [
      'of a region that is none',
      '09013528100',
      '09115528100',
      'the 2022 tract is in none of the nine planning regions',
    ],
  ])('rejects a row whose tracts are not of a county and a planning region: %s', async (_, from, to, reason) => {
    const sink = recordingSink();
    await readInto(sink, ctFile([from, to, '5281', 'Capitol Planning Region', '09110']));
    expect([...sink.moves]).toEqual([]);
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({ [reason]: 1 });
  });

  it('rejects contradictions and other states, and leaves repetitions out', async () => {
    const sink = recordingSink();
    await readInto(
      sink,
      ctFile(
        CT_ROW,
        CT_ROW,
        ['09013528100', '09120528100', '5281', 'Greater Bridgeport', '09120'],
        ['10001040100', '09110528100', '1', 'x', '09110'],
        ['09013528100'],
      ),
    );
    const tally = sink.onlyTally();
    expect(tally).toMatchObject({ read: 5, kept: 1 });
    expect(Object.fromEntries(tally.rejected)).toEqual({
      'duplicate GEOID': 1,
      'not a Connecticut tract GEOID': 1,
      'ragged row': 1,
    });
    expect(Object.fromEntries(tally.leftOut)).toEqual({ 'duplicate row': 1 });
  });

  it('moves the tracts of each of the eight counties, and to each of the nine planning regions', async () => {
    const sink = recordingSink();
    const counties = ['001', '003', '005', '007', '009', '011', '013', '015', '001'];
    const regions = ['110', '120', '130', '140', '150', '160', '170', '180', '190'];
    const moves = counties.map((county, at) => [`09${county}00${at}000`, `09${regions[at]}00${at}000`] as const);
    await readInto(sink, ctFile(...moves.map(([from, to]) => [from, to, '1', 'Some Region', to.slice(0, 5)])));
    expect([...sink.moves]).toEqual(moves);
  });

  it('is left out where Connecticut is not loaded', async () => {
    const sink = recordingSink(['10']);
    await readInto(sink, ctFile(CT_ROW));
    expect(sink.moves.size).toBe(0);
    expect(Object.fromEntries(sink.onlyTally().leftOut)).toEqual({ 'other state': 1 });
  });
});

const REL_HEADER =
  'OID_TRACT_20|GEOID_TRACT_20|NAMELSAD_TRACT_20|AREALAND_TRACT_20|AREAWATER_TRACT_20|MTFCC_TRACT_20|FUNCSTAT_TRACT_20|' +
  'OID_TRACT_10|GEOID_TRACT_10|NAMELSAD_TRACT_10|AREALAND_TRACT_10|AREAWATER_TRACT_10|MTFCC_TRACT_10|FUNCSTAT_TRACT_10|' +
  'AREALAND_PART|AREAWATER_PART';
const relRow = (geoid20: string, geoid10: string, landPart = '80'): string =>
  `2079|${geoid20}|Census Tract 1|100|10|G5020|S|2078|${geoid10}|Census Tract 1|90|9|G5020|S|${landPart}|8`;
const relFile = (...rows: string[]) =>
  fakeFile('tab20_tract20_tract10_natl.txt', `\uFEFF${[REL_HEADER, ...rows].join('\n')}\n`);

describe('2020–2010 tract relationship', () => {
  it('gives both tracts with their areas and what they share', async () => {
    const sink = recordingSink();
    await readInto(sink, relFile(relRow('10001040101', '10001040100')));
    expect(sink.overlaps).toEqual([
      {
        geoid2010: '10001040100',
        geoid2020: '10001040101',
        landPartSqm: 80,
        land2010Sqm: 90,
        land2020Sqm: 100,
        waterPartSqm: 8,
        water2010Sqm: 9,
        water2020Sqm: 10,
      },
    ]);
  });

  it('says of GEOIDs that have lost their leading zeros that they have', async () => {
    const sink = recordingSink();
    await readInto(
      sink,
      relFile(relRow('6001400100', '06001400100'), relRow('06001400100', '6001400100'), relRow('06001400100', '6')),
    );
    expect(Object.fromEntries(sink.onlyTally().rejected)).toEqual({
      'GEOID lost its leading zero': 2,
      'not a tract GEOID': 1,
    });
  });

  it('accounts for every row that it does not keep', async () => {
    const sink = recordingSink(['10']);
    await readInto(
      sink,
      relFile(
        relRow('10001040101', '10001040100'),
        relRow('10001040101', ''),
        relRow('11001000101', '11001000100'),
        relRow('10001040101', '1000104'),
        relRow('10001040101', '10001040100', 'many'),
        '1|2',
      ),
    );
    const tally = sink.onlyTally();
    expect(tally).toMatchObject({ read: 6, kept: 1 });
    expect(Object.fromEntries(tally.leftOut)).toEqual({ 'ground outside the other delineation': 1, 'other state': 1 });
    expect(Object.fromEntries(tally.rejected)).toEqual({
      'not a tract GEOID': 1,
      'area is not a number, or below 0': 1,
      'ragged row': 1,
    });
  });

  describe('of which a column has shifted', () => {
    /** By line: 2020 GEOID, its land and water, 2010 GEOID, its land and water, the land and water that they share. */
    const PARTS = [
      ['01001020100', 9825304, 28435, '01001020100', 9827271, 28435, 9820448, 28435],
      ['01001020100', 9825304, 28435, '01001020200', 3325674, 5669, 4856, 0],
      ['01001020200', 3320818, 5669, '01001020200', 3325674, 5669, 3320818, 5669],
      ['01001020300', 5349271, 9054, '01001020300', 5349271, 9054, 5349271, 9054],
      ['01001020501', 6203654, 0, '01001020500', 11408867, 43534, 6203654, 0],
      ['01001020502', 2097390, 379, '01001020500', 11408867, 43534, 2097390, 379],
      ['01001020503', 3107823, 43155, '01001020500', 11408867, 43534, 3107823, 43155],
    ] as const;
    const TOO_MUCH = 'shares more ground than the tract has: a column may have shifted';
    const OTHER = 'tract with another area than in an earlier row: a column may have shifted';
    const rejectedOf = async (shifted?: number): Promise<Record<string, number>> => {
      const rows = PARTS.map((part, at) => {
        const cells = part.map((cell, column) => (column === shifted ? (PARTS[at - 1] ?? PARTS[6])[column] : cell));
        const [geoid20, land20, water20, geoid10, land10, water10, land, water] = cells;
        return `1|${geoid20}|N|${land20}|${water20}|G5020|S|2|${geoid10}|N|${land10}|${water10}|G5020|S|${land}|${water}`;
      });
      const sink = recordingSink();
      await readInto(sink, relFile(...rows));
      return Object.fromEntries(sink.onlyTally().rejected);
    };

    it.each([
      ['no column', undefined, {}],
      ['the 2020 GEOIDs', 0, { [OTHER]: 1 }],
      ['the land of 2020', 1, { [TOO_MUCH]: 4 }],
      ['the water of 2020', 2, { [TOO_MUCH]: 3, [OTHER]: 1 }],
      ['the 2010 GEOIDs', 3, { [OTHER]: 3 }],
      ['the land of 2010', 4, { [TOO_MUCH]: 2, [OTHER]: 1 }],
      ['the water of 2010', 5, { [TOO_MUCH]: 1, [OTHER]: 3 }],
      ['the shared land', 6, { [TOO_MUCH]: 2 }],
      ['the shared water', 7, { [TOO_MUCH]: 3 }],
    ])('loses rows: %s', async (_, shifted, rejected) => {
      expect(await rejectedOf(shifted)).toEqual(rejected);
    });
  });

  it('fails with file and columns on an official name over something else', async () => {
    const read = readInto(recordingSink(), fakeFile('tab20_tract20_tract10_natl.txt', 'a|b\n1|2\n'));
    await expect(read).rejects.toThrow(InputError);
    await expect(read).rejects.toThrow('GEOID_TRACT_20');
  });
});

describe('the HUD crosswalk', () => {
  it('counts ZIPs that have lost their zeros only against the states that are loaded', async () => {
    const sink = recordingSink(['10']);
    const rows = [
      ['ZIP', 'TRACT', 'TOT_RATIO'],
      ['1001', '25013813208', '1'],
      ['19901', '10001040100', '1'],
    ];
    await readInto(sink, fakeFile('ZIP_TRACT_122023.csv', csvText(rows)));
    const { leftOut, rejectedRows, kept } = sink.onlyTally();
    expect([Object.fromEntries(leftOut), rejectedRows, kept]).toEqual([{ 'other state': 1 }, 0, 1]);
  });

  it('is refused in the other direction, whose shares are of tracts', async () => {
    const header = ['TRACT', 'ZIP', 'USPS_ZIP_PREF_CITY', 'USPS_ZIP_PREF_STATE', 'RES_RATIO', 'TOT_RATIO'];
    const rows = [header, ['10001040100', '19901', 'DOVER', 'DE', '1', '1']];
    expect(await refusalOf(fakeFile('TRACT_ZIP_122023.csv', csvText(rows)))).toContain('use ZIP_TRACT');
  });
});
