import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { cellsOf } from '../../../src/load/files/byte-rows.js';
import { readByteRows } from '../../../src/load/files/read-byte-rows.js';

interface Seen {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly faults: readonly string[];
}

/** Reads a text that arrives in pieces of so many bytes. */
async function read(content: string | Buffer, pieceBytes = 64 * 1024, delimiter: ',' | '\t' = ','): Promise<Seen> {
  const bytes = Buffer.from(content);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  let header: readonly string[] = [];
  const rows: string[][] = [];
  const faults: string[] = [];
  await readByteRows(
    { label: 'a.csv', name: 'a.csv', sizeBytes: bytes.length, open: async () => Readable.from(pieces) },
    {
      delimiter,
      start: (cells) => {
        header = cells;
        return (row) => rows.push(cellsOf(row));
      },
      onFault: (fault) => faults.push(fault),
    },
  );
  return { header, rows, faults };
}

test('quotes, doubled quotes, delimiters and line breaks within them, and both line endings are read', async () => {
  const text = '\uFEFF"a","b"\r\n"x ""y"" z","1,2"\r\n"line\nbreak",plain\nlast,"row"';
  const expected = {
    header: ['a', 'b'],
    rows: [
      ['x "y" z', '1,2'],
      ['line\nbreak', 'plain'],
      ['last', 'row'],
    ],
    faults: [],
  };
  for (const pieceBytes of [1, 2, 3, 7, 1000]) expect(await read(text, pieceBytes)).toEqual(expected);
});

test('doubled quotes in a cell without quotes are what they are, whatever other cells of the row have', async () => {
  const text = 'a,b,c\n6 "" pipe,"x ""y""",z ""\n"p ""q""",plain "",""""\n';
  expect((await read(text)).rows).toEqual([
    ['6 "" pipe', 'x "y"', 'z ""'],
    ['p "q"', 'plain ""', '"'],
  ]);
});

test('rows of empty cells alone are passed over, and other empty cells are cells', async () => {
  expect((await read('a,b\n\n,\n"",""\n\r\n ,\n1,\n,2\n')).rows).toEqual([
    ['1', ''],
    ['', '2'],
  ]);
});

test('a quote means nothing where cells are separated by tabs', async () => {
  expect((await read('a\tb\n"x\t6"\n', 3, '\t')).rows).toEqual([['"x', '6"']]);
});

test('a row with broken quotes costs itself and no other', async () => {
  const lines = ['"a","b"', '"1","ok"', '"2","open', '"3","ok"', '"4"x,"ok"', '"5","o"k"', '"6","ok"', ''];
  for (const pieceBytes of [1, 5, 1000]) {
    const { rows, faults } = await read(lines.join('\n'), pieceBytes);
    expect(rows.map(([first]) => first)).toEqual(['1', '3', '6']);
    expect(faults).toEqual(['broken quotes', 'broken quotes', 'broken quotes']);
  }
});

test('a quote that is never closed costs its own line only, even where the file has no other quote', async () => {
  const many = Array.from({ length: 50_000 }, (_, index) => `${index},plain text that goes on\n`).join('');
  const { rows, faults } = await read(`a,b\n0,"open\n${many}`);
  expect(rows.length).toBe(50_000);
  expect(faults).toEqual(['broken quotes']);
});

test('a row with a NUL byte is detected and only that row is lost', async () => {
  for (const pieceBytes of [1, 4, 1000]) {
    const { rows, faults } = await read(Buffer.from('a,b\n1,x\0y\n2,ok\n"\0,3\n4,ok\n'), pieceBytes);
    expect(rows.map(([first]) => first)).toEqual(['2', '4']);
    expect(faults).toEqual(['NUL byte', 'NUL byte']);
  }
});

test('carriage returns alone end lines, in files of any length', async () => {
  const expected = {
    header: ['a', 'b'],
    rows: [
      ['x', 'line\nbreak'],
      ['y', '2'],
    ],
    faults: [],
  };
  for (const end of ['', '\r']) {
    for (const pieceBytes of [1, 5, 1000]) {
      expect(await read(`\uFEFFa,b\rx,"line\rbreak"\ry,2${end}`, pieceBytes)).toEqual(expected);
    }
  }
  expect((await read(`a,b\r${'1,plain text that goes on\r'.repeat(100_000)}`)).rows.length).toBe(100_000);
  await expect(read('a,b,c\r1,2,3\r4,5')).rejects.toThrow('a.csv: it ends in the middle of row 3');
});

test('an unreadable header is an error, so that no data row is used as the header', async () => {
  const error = (fault: string): string =>
    `a.csv: its header (row 1) cannot be read (${fault}); it is damaged, so download it again`;
  for (const pieceBytes of [1, 4, 1000]) {
    await expect(read('a,\0b\n1,2\n', pieceBytes)).rejects.toThrow(error('NUL byte'));
    await expect(read('a,"b"x\n1,2\n', pieceBytes)).rejects.toThrow(error('broken quotes'));
    await expect(read('a,"b"x\n1,"the ""best""; 2"\n', pieceBytes)).rejects.toThrow(error('broken quotes'));
    await expect(read('"a";"b"\n"1";"2"\n', pieceBytes)).rejects.toThrow(
      'a.csv: its cells are separated by semicolons; save it with commas',
    );
  }
});

test('a cell that is not UTF-8 is read as Windows-1252, and its row says so', async () => {
  const rows: unknown[] = [];
  const bytes = Buffer.concat([
    Buffer.from('a,b\nDoña,\uFFFD\n'),
    Buffer.from('Do\xf1a,"\x93""x""\x94"\n', 'latin1'),
    Buffer.from('last,row\n'),
  ]);
  await readByteRows(
    { label: 'a.csv', name: 'a.csv', sizeBytes: bytes.length, open: async () => Readable.from([bytes]) },
    {
      delimiter: ',',
      start: () => (row) => rows.push([row.text(0), row.text(1), row.inOtherEncoding]),
      onFault: (fault) => rows.push(fault),
    },
  );
  expect(rows).toEqual([
    ['Doña', '\uFFFD', false],
    ['Doña', '“"x"”', true],
    ['last', 'row', false],
  ]);
});
