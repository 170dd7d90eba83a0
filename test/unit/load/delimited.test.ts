import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readDelimited } from '../../../src/load/files/delimited.js';

/** The second row of a file that comes in two pieces. */
async function rowOf(one: Uint8Array, other: Uint8Array): Promise<readonly string[]> {
  const rows: (readonly string[])[] = [];
  const open = async () => Readable.from([one, other]);
  const file = { label: 'made up', name: 'made up', sizeBytes: one.length + other.length, open };
  await readDelimited(file, { delimiter: ',', onHeader: () => {}, onRow: (cells) => rows.push(cells) });
  return rows[0] ?? [];
}

test('a character that lies in two pieces of a file is whole', async () => {
  const text = Buffer.from('name,sign\nDoña Ana County,½🏠\n');
  for (let at = 1; at < text.length; at++) {
    expect(await rowOf(text.subarray(0, at), text.subarray(at))).toEqual(['Doña Ana County', '½🏠']);
  }
});
