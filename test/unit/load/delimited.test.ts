import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { type Delimiter, readDelimited } from '../../../src/load/files/delimited.js';

/** The second row of a file that comes in two pieces. */
async function rowOf(one: Uint8Array, other: Uint8Array): Promise<readonly string[]> {
  const rows: (readonly string[])[] = [];
  const open = async () => Readable.from([one, other]);
  const file = { label: 'made up', name: 'made up', sizeBytes: one.length + other.length, open };
  await readDelimited(file, { delimiter: ',', start: () => (cells) => rows.push(cells) });
  return rows[0] ?? [];
}

test('a character that lies in two pieces of a file is whole', async () => {
  const text = Buffer.from('name,sign\nDoña Ana County,½🏠\n');
  for (let at = 1; at < text.length; at++) {
    expect(await rowOf(text.subarray(0, at), text.subarray(at))).toEqual(['Doña Ana County', '½🏠']);
  }
});

test('a byte order mark belongs to no column, quoted or not', async () => {
  for (const text of ['\uFEFFGEO_ID,NAME\n1,2\n', '\uFEFF"GEO_ID","NAME"\n"1","2"\n']) {
    const open = async () => Readable.from([Buffer.from(text)]);
    const file = { label: 'made up', name: 'made up', sizeBytes: text.length, open };
    const headers: (readonly string[])[] = [];
    await readDelimited(file, {
      delimiter: ',',
      start: (cells) => {
        headers.push(cells);
        return () => {};
      },
    });
    expect(headers).toEqual([['GEO_ID', 'NAME']]);
  }
});

test('rows of empty cells alone, as spreadsheets append them, are passed over and still numbered', async () => {
  const text = 'a,b\n,\n"",""\n1,\n\n , \n,2\n,\n';
  const open = async () => Readable.from([Buffer.from(text)]);
  const file = { label: 'made up', name: 'made up', sizeBytes: text.length, open };
  const rows: unknown[] = [];
  await readDelimited(file, { delimiter: ',', start: () => (cells, row) => rows.push([row, ...cells]) });
  expect(rows).toEqual([
    [4, '1', ''],
    [7, '', '2'],
  ]);
});

test('a short row above a row of empty cells without a line break is not taken for cut off', async () => {
  const text = 'a,b,c\n1,2\n,,';
  const open = async () => Readable.from([Buffer.from(text)]);
  const file = { label: 'made up', name: 'made up', sizeBytes: text.length, open };
  const onRow = vi.fn();
  await readDelimited(file, { delimiter: ',', start: () => onRow });
  expect(onRow).toHaveBeenCalledExactlyOnceWith(['1', '2'], 2);
});

test('rows are read whatever ends their lines, and whatever ended those before', async () => {
  const text = ['a,b', '1,2\r\n3,4', '5,6', '7,8\r9,10', '"11\r\n",12\r\n'].join('\n');
  for (let at = 1; at < text.length; at++) {
    const rows: (readonly string[])[] = [];
    const open = async () => Readable.from([text.slice(0, at), text.slice(at)].map((piece) => Buffer.from(piece)));
    const file = { label: 'made up', name: 'made up', sizeBytes: text.length, open };
    await readDelimited(file, { delimiter: ',', start: () => (cells) => rows.push(cells) });
    expect(rows.map((cells) => cells.map((cell) => Number(cell)))).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
      [9, 10],
      [11, 12],
    ]);
  }
});

/** A file of a header and rows, in pieces as files are read, and how many of the pieces were taken. */
function endlessFile(delimiter: Delimiter, pieces: number) {
  const taken = { pieces: 0 };
  const row = (cell: string): string => ['2022', 'US', cell, '10001040100'].join(delimiter);
  const start = [row('name'), ...Array.from({ length: 499 }, () => row('Kent'))].join('\n');
  async function* content() {
    yield Buffer.from(`${start}\n${row('"Kent')}${delimiter === ',' ? '\n' : ''}`);
    const lines = Buffer.from(`${row('Kent')}${delimiter === ',' ? '\n' : ' '}`.repeat(10_000));
    for (; taken.pieces < pieces; taken.pieces++) yield lines;
  }
  const open = async () => Readable.from(content());
  return { file: { label: 'made up', name: 'made up', sizeBytes: 0, open }, taken };
}

test.each([
  [
    ',',
    'made up: broken quoting near row 501 (a row of more than 1 MiB: a quote is not closed, or line breaks are missing)',
  ],
  ['|', 'made up: no line break near row 501 (a row of more than 1 MiB)'],
] as const)('a row that does not end is refused soon, in a file separated by %s', async (delimiter, message) => {
  const { file, taken } = endlessFile(delimiter, 100);
  let rows = 0;
  const reading = readDelimited(file, { delimiter, start: () => () => rows++ });
  await expect(reading).rejects.toThrow(message);
  expect(rows).toBe(499);
  expect(taken.pieces).toBeLessThan(20);
});

test('a quote that the end of the file leaves open is refused', async () => {
  const { file } = endlessFile(',', 2);
  const reading = readDelimited(file, { delimiter: ',', start: () => () => {} });
  await expect(reading).rejects.toThrow('made up: broken quoting near row 501 (Quoted field unterminated)');
});

test('quoted cells that are separated by semicolons are told from broken quoting', async () => {
  const open = async () => Readable.from([Buffer.from('"GEO_ID";"NAME"\n"1";"Tract 1"\n')]);
  const file = { label: 'made up', name: 'made up', sizeBytes: 0, open };
  const reading = readDelimited(file, { delimiter: ',', start: () => () => {} });
  await expect(reading).rejects.toThrow('made up: its cells are separated by semicolons; save it with commas');
});

test('a file cut off inside quotes is taken for an incomplete download', async () => {
  const open = async () => Readable.from([Buffer.from('GEO_ID,NAME\n"1","Tract 1"\n"2","Tra')]);
  const file = { label: 'made up', name: 'made up', sizeBytes: 0, open };
  const reading = readDelimited(file, { delimiter: ',', start: () => () => {} });
  await expect(reading).rejects.toThrow(
    'made up: it ends inside quotes in row 3, without a line break; is the download complete?',
  );
});

test('a long row within the limit is read, whatever it holds', async () => {
  const cell = 'line\n'.repeat(150_000);
  const text = Buffer.from(`name,sign\n"${cell}",x\n`);
  expect(await rowOf(text.subarray(0, 400_000), text.subarray(400_000))).toEqual([cell, 'x']);
});

/** Rows of a file in these pieces, and how many lines of it were not UTF-8. */
async function decoded(...pieces: readonly Buffer[]) {
  const rows: string[] = [];
  let others = 0;
  const file = { label: 'made up', name: 'made up', sizeBytes: 0, open: async () => Readable.from(pieces) };
  await readDelimited(file, {
    delimiter: ',',
    start: (header) => {
      rows.push(header.join());
      return (cells) => rows.push(cells.join());
    },
    onOtherEncoding: () => others++,
  });
  return { rows, others };
}

test('a line that is not UTF-8 is read as Windows-1252, and the others as what they are', async () => {
  const lines = [
    Buffer.from('name,sign\n'),
    Buffer.from('Do\xf1a Ana County,\x93caf\xe9\x94\n', 'latin1'),
    Buffer.from('Doña Ana County,½\n'),
    Buffer.from('A\xf1asco,x', 'latin1'),
  ];
  const text = Buffer.concat(lines);
  const rows = ['name,sign', 'Doña Ana County,“café”', 'Doña Ana County,½', 'Añasco,x'];
  for (let at = 1; at < text.length; at++) {
    expect(await decoded(text.subarray(0, at), text.subarray(at))).toEqual({ rows, others: 2 });
  }
});

test('line breaks of every kind may be cut in two', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = Buffer.from(['name,sign', '"Kent","x"', '"Sussex","y"', ''].join(end));
    for (let at = 1; at < text.length; at++) {
      const { rows } = await decoded(text.subarray(0, at), text.subarray(at));
      expect(rows, `${JSON.stringify(end)} ${at}`).toEqual(['name,sign', 'Kent,x', 'Sussex,y']);
    }
  }
});
