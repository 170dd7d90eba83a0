import { expect, it } from 'vitest';
import { type ProviderRecord, recordSections } from '../../src/format/providers-file-records.js';

// Long texts: few of them make 2 GiB, and what each took is freed again.
const LONG = 2 ** 24;
const ENOUGH = 128;

it('a million providers with 2 GiB of records or more are refused', () => {
  const record: ProviderRecord = { coordinates: '1,2', properties: '', details: 'x'.repeat(LONG) };
  const [records] = recordSections(
    Uint32Array.from({ length: ENOUGH }, (_, row) => row),
    () => record,
  );
  if (!records || ArrayBuffer.isView(records.data)) expect.fail('the records are not written in pieces');
  const pieces = records.data[Symbol.iterator]();
  expect(() => {
    while (!pieces.next().done);
  }).toThrow('the records of 128 providers would be');
});
