import { describe, expect, it } from 'vitest';
import { fakeFile, readInto, recognizeFile } from '../../support/input-file.js';
import { paddedOf } from '../../support/layers.js';
import { recordingSink } from '../../support/recording-sink.js';

const HEADER = 'STATEFP,COUNTYFP,TRACTCE,POPULATION,LATITUDE,LONGITUDE';
const cenpop = (...rows: string[]): string => `\uFEFF${[HEADER, ...rows].join('\r\n')}\r\n`;

describe('cenpop', () => {
  it('reads the count as a fallback for total_population, byte order mark or not', async () => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('CenPop2020_Mean_TR.txt', cenpop('01,001,020100,1775,+32.47,-086.48')));
    expect(sink.value('CenPop', '01001020100', 'total_population')).toBe(1775);
    expect(sink.layer('CenPop').key).toMatchObject({
      source: 'cenpop',
      year: 2020,
      tractVintage: 2020,
      preference: 2,
      label: '2020 Census (centers of population)',
    });
  });

  it('puts lost zeros back and marks the row as repaired', async () => {
    const sink = recordingSink();
    await readInto(sink, fakeFile('CenPop2020_Mean_TR.txt', cenpop('1,1,20100,1775,32.47,-86.48')));
    expect(paddedOf(sink.layer('CenPop'))).toEqual([['01001020100', true]]);
    expect(sink.value('CenPop', '01001020100', 'total_population')).toBe(1775);
  });

  it('accounts for every row that it does not keep', async () => {
    const sink = recordingSink();
    const text = cenpop(
      '01,001,020100,1775,+32.47,-086.48',
      '01,001,020100,1775,+32.47,-086.48',
      '01,001,020100,9,+32.47,-086.48',
      '72,001,956300,4,+18.1,-066.4',
      '01,001,020200,1,2',
      '01,001,x,1,+32.47,-086.48',
      '01,001,020300,-4,+32.47,-086.48',
    );
    await readInto(sink, fakeFile('CenPop2020_Mean_TR.txt', text));
    const tally = sink.onlyTally();
    expect(tally).toMatchObject({ read: 7, kept: 2 });
    expect(Object.fromEntries(tally.rejected)).toEqual({
      'duplicate GEOID with other values': 1,
      'ragged row': 1,
      'not a tract GEOID': 1,
    });
    expect(Object.fromEntries(tally.leftOut)).toEqual({ 'duplicate row': 1, territory: 1 });
    expect(Object.fromEntries(tally.notes)).toEqual({ 'value out of range': 1 });
    expect(sink.value('CenPop', '01001020300', 'total_population')).toBeNaN();
  });

  it('says what a spreadsheet made of the codes', async () => {
    const sink = recordingSink();
    const text = cenpop(
      '01,001,020100,1775,+32.47,-086.48',
      '1.0,1.0,20100.0,5,32.47,-86.48',
      '01,001,2.01E+04,5,32,-86',
    );
    await readInto(sink, fakeFile('CenPop2020_Mean_TR.txt', text));
    expect(Object.fromEntries(sink.onlyTally().examples)).toEqual({
      'GEOID turned into a number, as by a spreadsheet: save its column as text': [
        { row: 3, column: 'STATEFP, COUNTYFP, TRACTCE', value: '1.0, 1.0, 20100.0' },
      ],
      'GEOID rounded, as by a spreadsheet: download the file again': [
        { row: 4, column: 'STATEFP, COUNTYFP, TRACTCE', value: '01, 001, 2.01E+04' },
      ],
    });
  });

  it('fails by name on a NUL byte anywhere, and on a file that was cut off below its header', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => `01,001,${String(index).padStart(6, '0')},5,+32.4,-086.4`);
    const text = `${cenpop(...rows).slice(0, -20)}\u0000`;
    expect(text.length).toBeGreaterThan(128 * 1024);
    const damaged = readInto(recordingSink(), fakeFile('in/CenPop2020_Mean_TR.txt', text));
    await expect(damaged).rejects.toThrow('in/CenPop2020_Mean_TR.txt: it contains a NUL byte');
    const empty = readInto(recordingSink(), fakeFile('in/CenPop2020_Mean_TR.txt', cenpop()));
    await expect(empty).rejects.toThrow('in/CenPop2020_Mean_TR.txt: no rows below its header');
  });

  it('does not claim the block-group file or that of 2010', async () => {
    const text = `${HEADER.replace('TRACTCE', 'TRACTCE,BLKGRPCE')}\n`;
    expect(await recognizeFile(fakeFile('CenPop2020_Mean_BG.txt', text))).toBeUndefined();
    expect(await recognizeFile(fakeFile('CenPop2010_Mean_TR.txt', `${HEADER}\n`))).toBeUndefined();
  });
});
