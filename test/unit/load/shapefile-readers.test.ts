import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readDbf } from '../../../src/load/files/dbf.js';
import { whyNotGeographic } from '../../../src/load/files/projection.js';
import { readShp, type ShpRecord } from '../../../src/load/files/shp.js';
import { InputError } from '../../../src/load/input.js';
import { fakeFile } from '../../support/input-file.js';
import { squareRing } from '../../support/official-files.js';
import { dbfFile, type LngLat, PROJECTED_PRJ, shpFile } from '../../support/shapefile-writer.js';

const SQUARE = squareRing({ west: -95, south: 45 });

async function read(bytes: Uint8Array, wanted = (_: number) => true): Promise<Map<number, ShpRecord>> {
  const records = new Map<number, ShpRecord>();
  await readShp(fakeFile('in/a.shp', bytes), wanted, (record, shape) => records.set(record, shape));
  return records;
}

const problemOf = async (ring: readonly LngLat[]): Promise<unknown> => (await read(shpFile([[ring]]))).get(0);

describe('readShp', () => {
  it('gives closed rings in whole 1e-7 degrees, of many parts, of Polygon and PolygonZ alike', async () => {
    const island = squareRing({ west: -94, south: 45 });
    for (const z of [false, true]) {
      const record = (await read(shpFile([[SQUARE, island]], z))).get(0);
      expect(record).toEqual({
        rings: [SQUARE, island].map((ring) => Int32Array.from(ring.flat().map((degrees) => Math.round(degrees * 1e7)))),
      });
    }
  });

  it('closes an open ring and drops vertices that repeat', async () => {
    const [a, b, c] = SQUARE;
    if (!a || !b || !c) throw new Error('a square has four corners');
    const record = (await read(shpFile([[[a, a, b, b, c]]]))).get(0);
    expect(record).toEqual({ rings: [Int32Array.of(-950e6, 450e6, -950e6, 451e6, -949e6, 451e6, -950e6, 450e6)] });
  });

  it('decodes the wanted records only, by their numbers', async () => {
    const records = await read(shpFile([[SQUARE], null, [SQUARE]]), (record) => record === 2);
    expect([...records.keys()]).toEqual([2]);
  });

  it('counts all records, wanted or not, with a shape or without', async () => {
    const file = fakeFile('in/a.shp', shpFile([[SQUARE], null, [SQUARE]]));
    for (const wanted of [true, false]) {
      expect(
        await readShp(
          file,
          () => wanted,
          () => {},
        ),
      ).toBe(3);
    }
  });

  it('tells a record without a shape and one without area', async () => {
    expect((await read(shpFile([null]))).get(0)).toEqual({ problem: 'a record without a shape' });
    expect(
      await problemOf([
        [-95, 45],
        [-95, 45],
        [-95, 45],
      ]),
    ).toEqual({ problem: 'an outline without area' });
  });

  it.each([
    ['swapped', [45, -95]],
    ['NaN', [Number.NaN, 45]],
    ['infinite', [-95, Number.POSITIVE_INFINITY]],
    ['projected', [-123456.7, 987654.3]],
    ['beyond a pole', [-95, 95]],
  ] as const)('tells %s coordinates apart from outlines', async (_, [lng, lat]) => {
    const shape = await problemOf([
      [-95, 45],
      [lng, lat],
      [-94, 46],
      [-95, 45],
    ]);
    expect(shape).toEqual({ problem: 'coordinates outside the United States (swapped or projected?)' });
  });

  it('fails with the file’s name wherever the file is cut off', async () => {
    const bytes = shpFile([[SQUARE], [SQUARE]]);
    for (const length of [0, 50, 99, 104, 108, 150, bytes.length - 1]) {
      const cut = read(bytes.subarray(0, length));
      await expect(cut).rejects.toThrow(InputError);
      await expect(cut).rejects.toThrow(
        /^in\/a\.shp: (not a shapefile|truncated (at|within) record \d); it is damaged, so download it again$/,
      );
      await expect(read(bytes.subarray(0, length), () => false)).rejects.toThrow(InputError);
    }
  });

  it.each([
    ['a count of parts', 100 + 8 + 36],
    ['a count of points', 100 + 8 + 40],
    ['a part’s start', 100 + 8 + 44],
  ])('fails with file and record on %s that cannot be', async (_, offset) => {
    for (const value of [-1, 0x7fffffff]) {
      const bytes = shpFile([[SQUARE]]);
      bytes.writeInt32LE(value, offset);
      await expect(read(bytes)).rejects.toThrow('in/a.shp: broken polygon in record 1');
    }
  });

  it('fails on a record length that cannot be', async () => {
    for (const words of [-5, 0, 0x3fffffff]) {
      const bytes = shpFile([[SQUARE]]);
      bytes.writeInt32BE(words, 104);
      await expect(read(bytes)).rejects.toThrow('in/a.shp: broken at record 1');
    }
  });

  it('refuses a record too long for the memory before reading it, however long the file says it is', async () => {
    const bytes = shpFile([[SQUARE]]);
    bytes.writeInt32BE(0x7fffffff, 24);
    bytes.writeInt32BE(0x3fffffff, 104);
    await expect(read(bytes)).rejects.toThrow('in/a.shp: broken at record 1');
  });

  it('refuses shapes that are no polygons, and other files', async () => {
    const points = shpFile([]);
    points.writeInt32LE(1, 32);
    await expect(read(points)).rejects.toThrow('in/a.shp: contains shapes of type 1, not polygons');
    await expect(read(Buffer.alloc(200))).rejects.toThrow('in/a.shp: not a shapefile');
  });
});

describe('readDbf', () => {
  const COLUMNS = { GEOID: 11, NAMELSADCO: 20 };
  const ROWS = [
    { GEOID: '35013000100', NAMELSADCO: 'Dona Ana' },
    { GEOID: '35013000200', NAMELSADCO: '' },
  ];

  it('gives cells without padding, in UTF-8, and knows deleted rows', async () => {
    const table = await readDbf(fakeFile('a.dbf', dbfFile(COLUMNS, ROWS, [1])));
    const [geoid, county] = table.fields;
    if (!geoid || !county) throw new Error('two columns were written');
    expect(table.rowCount).toBe(2);
    expect([table.cell(0, geoid), table.cell(0, county)]).toEqual(['35013000100', 'Dona Ana']);
    expect([table.cell(1, geoid), table.cell(1, county)]).toEqual(['35013000200', '']);
    expect([table.isDeleted(0), table.isDeleted(1)]).toEqual([false, true]);
  });

  it('gives cells without the NUL bytes with which some programs pad them', async () => {
    const bytes = dbfFile(COLUMNS, [{ GEOID: '35013000100', NAMELSADCO: 'Kent@@@@' }]);
    for (let at = bytes.indexOf('@'); at >= 0; at = bytes.indexOf('@', at)) bytes[at] = 0;
    const { fields, cell } = await readDbf(fakeFile('a.dbf', bytes));
    expect(fields.map((field) => cell(0, field))).toEqual(['35013000100', 'Kent']);
  });

  it('fails with the file’s name wherever it is cut off', async () => {
    const bytes = dbfFile(COLUMNS, ROWS);
    for (const length of [0, 20, 40, 100, bytes.length - 2]) {
      await expect(readDbf(fakeFile('in/a.dbf', bytes.subarray(0, length)))).rejects.toThrow(
        /^in\/a\.dbf: (truncated|not a)/,
      );
    }
  });

  it('fails where columns and row length contradict each other', async () => {
    const bytes = dbfFile(COLUMNS, ROWS);
    bytes.writeUInt16LE(40, 10);
    await expect(readDbf(fakeFile('in/a.dbf', bytes))).rejects.toThrow(
      'in/a.dbf: its fields take 32 bytes, its rows 40',
    );
  });

  it('fails where the header announces more rows than there are', async () => {
    const bytes = dbfFile(COLUMNS, ROWS);
    bytes.writeUInt32LE(3, 4);
    await expect(readDbf(fakeFile('in/a.dbf', bytes))).rejects.toThrow(
      /^in\/a\.dbf: truncated: the header announces 3 rows of \d+ bytes; it is damaged, so download it again$/,
    );
  });

  it('refuses more rows than fit into memory before reading any', async () => {
    const bytes = dbfFile(COLUMNS, ROWS);
    bytes.writeUInt32LE(0xffffffff, 4);
    await expect(readDbf(fakeFile('in/a.dbf', bytes))).rejects.toThrow(
      'in/a.dbf: the header announces 4294967295 rows of 32 bytes, more than 1 GiB',
    );
  });
});

describe('whyNotGeographic', () => {
  it('reads no more of a .prj than its beginning, however long the file is', async () => {
    const block = Buffer.alloc(64 * 1024);
    let blocks = 0;
    const endless = async function* () {
      yield Buffer.from(PROJECTED_PRJ);
      for (; blocks < 100; blocks++) yield block;
    };
    const prj = { ...fakeFile('in/a.prj', ''), open: async () => Readable.from(endless()) };
    expect(await whyNotGeographic({ prj })).toContain('(NAD_1983_Contiguous_USA_Albers)');
    // A stream is a few blocks ahead of its reader.
    expect(blocks).toBeLessThan(50);
  });
});
