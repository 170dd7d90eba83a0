import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { filesByProduct, recognizeFiles } from '../../../src/load/recognize.js';
import { fakeFile } from '../../support/input-file.js';
import { cenpopText, gazetteerText, sviText, tractShapefile } from '../../support/official-files.js';
import { DELAWARE } from '../../support/small-input.js';

const recognize = (files: Readonly<Record<string, string | Buffer>>) =>
  recognizeFiles({
    shapefiles: [],
    others: Object.entries(files).map(([path, content]) => fakeFile(path, content)),
    skipped: [],
  });

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const CENPOP = cenpopText({ '10001040100': 4000 });
const withNul = (text: string): string => `${text.slice(0, 90)}\u0000${text.slice(90)}`;

describe('a damaged file under an official name ends the compile by name, product and fault', () => {
  it.each([
    'CenPop2020_Mean_TR.txt',
    '2023_Gaz_tracts_national.txt',
    'ACSDT5Y2022.B19013-Data.csv',
    'acsdt5y2022-b19013.dat',
    'SVI_2022_US.csv',
    'PLACES__Local_Data_for_Better_Health__Census_Tract_Data_2024_release.csv',
    'PLACES__Census_Tract_Data__GIS_Friendly_Format___2024_release.csv',
    'EJSCREEN_2023_Tracts_StatePct.csv',
    'ct_2022tractcrosswalk.csv',
    'tab20_tract20_tract10_natl.txt',
  ])('of no bytes: %s', async (name) => {
    const read = recognize({ [`in/${name}`]: '' });
    await expect(read).rejects.toThrow(InputError);
    await expect(read).rejects.toThrow(/^in\/\S+ \(.+\): cannot be read: it is empty$/);
  });

  it.each([
    ['in UTF-16', utf16(CENPOP.slice(1)), 'it is in UTF-16; save it in UTF-8'],
    ['in UTF-16 of the other byte order', utf16(CENPOP.slice(1)).swap16(), 'it is in UTF-16; save it in UTF-8'],
    ['with a NUL byte', withNul(CENPOP), 'it holds a NUL byte'],
  ])('%s', async (_, content, fault) => {
    await expect(recognize({ 'in/CenPop2020_Mean_TR.txt': content })).rejects.toThrow(
      `in/CenPop2020_Mean_TR.txt (2020 Census (centers of population)): cannot be read: ${fault}`,
    );
  });

  it('and so does one under any name whose header is known', async () => {
    const svi = sviText({ '10001040100': [0.1, 0.2, 0.3, 0.4, 0.5] });
    for (const content of [withNul(svi), utf16(svi)]) {
      await expect(recognize({ 'in/vulnerability 2022.csv': content })).rejects.toThrow(
        /^in\/vulnerability 2022\.csv \(CDC\/ATSDR SVI 2022\): cannot be read/,
      );
    }
  });
});

describe('files that no source knows', () => {
  it('are ignored whatever is in them', async () => {
    const files = { 'a.bin': Buffer.from([0, 1, 2, 0]), 'b.csv': utf16('a,b\n1,2\n'), 'c.txt': 'c', 'd.xml': '<d/>' };
    const input = await recognize(files);
    expect([input.ignored, input.texts, input.refused]).toEqual([Object.keys(files), [], []]);
  });

  it('are ignored with a word where their name is a table’s and they are none', async () => {
    const page = '\uFEFF\n<!-- sorry --><html>';
    const { ignored } = await recognize({ 'Delaware.csv': '', 'Ohio.csv': page, 'Utah.csv': 'a,b\n1,2\n' });
    expect(ignored).toEqual(['Delaware.csv: it is empty', 'Ohio.csv: it is a web page', 'Utah.csv']);
  });

  it('are listed after what could not be opened, and those that are known by their product', async () => {
    const input = await recognizeFiles({
      shapefiles: [],
      others: [fakeFile('in/b.txt', 'b'), fakeFile('in/2023_Gaz_tracts_national.txt', gazetteerText(DELAWARE))],
      skipped: ['in/a.csv: a symbolic link that leads to no file'],
    });
    expect(input.ignored).toEqual(['in/a.csv: a symbolic link that leads to no file', 'in/b.txt']);
    expect(filesByProduct(input)).toEqual([
      { product: 'Census 2023 Gazetteer (tracts)', files: ['in/2023_Gaz_tracts_national.txt'] },
    ]);
  });
});

describe('half a shapefile', () => {
  const parts = tractShapefile('tl_2020_10_tract', DELAWARE);
  const set = (name: string) => {
    const shp = fakeFile(`in/${name}.shp`, parts['tl_2020_10_tract.shp'] ?? '');
    return { label: shp.label, name, shp, dbf: undefined, prj: undefined };
  };

  it.each(['tl_2020_10_tract', 'tl_2020_10_tract20', 'cb_2022_us_tract_500k'])(
    'of a tract product, %s, ends the compile and says what is missing',
    async (name) => {
      const shapes = recognizeFiles({ shapefiles: [set(name)], others: [], skipped: [] });
      await expect(shapes).rejects.toThrow(new RegExp(`^in/${name}\\.shp \\(.+\\): its \\.dbf is missing$`));
      const table = recognize({ [`in/${name}.DBF`]: parts['tl_2020_10_tract.dbf'] ?? '' });
      await expect(table).rejects.toThrow(new RegExp(`^in/${name}\\.DBF \\(.+\\): its \\.shp is missing$`));
    },
  );

  it('of another product is ignored', async () => {
    const others = [fakeFile('in/tl_2020_10_county.dbf', parts['tl_2020_10_tract.dbf'] ?? '')];
    const input = await recognizeFiles({ shapefiles: [set('roads')], others, skipped: [] });
    expect(input.ignored).toEqual(['in/roads.shp', 'in/tl_2020_10_county.dbf']);
  });
});
