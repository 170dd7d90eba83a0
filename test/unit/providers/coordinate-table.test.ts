import { expect, test } from 'vitest';
import { Tally } from '../../../src/load/intake/tally.js';
import { CoordinateTable } from '../../../src/load/providers/coordinate-table.js';
import { npiCheckDigit } from '../../../src/load/providers/npi.js';
import { collectGarbage } from '../../support/collect-garbage.js';

const MEBIBYTE = 2 ** 20;

/** What lives in V8's heap, where rows as objects would. */
function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('a list that is there twice takes no objects in memory for its rows, of which the first of each NPI counts', () => {
  const rows = 200_000;
  const npis = Array.from({ length: rows }, (_, at) => `${123_000_000 + at}${npiCheckDigit(123_000_000 + at)}`);
  const [first, second] = ['one.csv', 'two.csv'].map((file) => new Tally('provider-coordinates', 'Coordinates', file));
  const table = new CoordinateTable();
  const before = heapBytes();
  for (const [at, tally] of [first, second].entries()) {
    if (!tally) continue;
    for (const npi of npis) table.add({ npi, lat: 39 + at, lng: -75, tractFips: Number.NaN, tally, alone: true });
  }
  expect(heapBytes() - before).toBeLessThan(8 * MEBIBYTE);
  for (const npi of npis.slice(0, 10)) expect(table.find(Number(npi))).toMatchObject({ npi, lat: 39, tally: first });
  table.account(() => true);
  expect(Object.fromEntries(first?.leftOut ?? [])).toEqual({ 'no kept provider has this NPI': rows - 10 });
  expect(Object.fromEntries(second?.leftOut ?? [])).toEqual({ 'no kept provider has this NPI': rows - 10 });
  expect(Object.fromEntries(second?.rejected ?? [])).toEqual({ 'duplicate NPI with other coordinates': 10 });
});
