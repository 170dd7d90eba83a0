import { expect, test } from 'vitest';
import { NpiSet, npiCheckDigit, readNpi } from '../../../src/load/providers/npi.js';
import { parseTaxonomyTable, readTaxonomyTable } from '../../../src/load/providers/taxonomy.js';
import { impossibleNpi } from '../../../src/load/synthetic/npi.js';

test('an NPI has ten digits and begins with 1 or 2, whatever spreadsheets put behind it', () => {
  expect(['1234567893', '2234567893.0'].map(readNpi)).toEqual(['1234567893', '2234567893']);
  for (const text of ['', '123456789', '12345678931', '3234567893', '1234567893.5', ' 1234567893']) {
    expect(readNpi(text), text).toBeUndefined();
  }
});

/** The Luhn check digit as it is computed by hand, over the number as cards show it. */
function checkDigit(body: string): number {
  const digits = [...`80840${body}`].reverse().map(Number);
  const sum = digits.reduce((total, digit, place) => {
    const value = digit * (place % 2 === 0 ? 2 : 1);
    return total + Math.floor(value / 10) + (value % 10);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

test('the check digit is that of the published example, and of others that are computed by hand', () => {
  // 45 CFR 162.406 refers to ISO 7812; the example is CMS's.
  expect(npiCheckDigit(123_456_789)).toBe(3);
  for (let body = 100_000_000; body < 100_001_000; body++) expect(npiCheckDigit(body)).toBe(checkDigit(String(body)));
});

test('a set of NPIs tells numbers apart that differ in the check digit alone', () => {
  const set = new NpiSet();
  expect(set.add('1234567893')).toBe(true);
  expect(set.add('1234567893')).toBe(false);
  expect(set.has('1234567894')).toBe(false);
  expect(set.add('1234567894')).toBe(true);
  const other = new NpiSet();
  other.add(impossibleNpi(1));
  set.addAll(other);
  expect([impossibleNpi(1), '1234567893', '1234567894'].map((npi) => set.has(npi))).toEqual([true, true, true]);
  expect(set.has('2999999999')).toBe(false);
  // Neighbours, which share a byte or a word of the set's.
  const bodies = [0, 1, 7, 8, 31, 32, 63].map((step) => 100_000_064 + step);
  const npis = bodies.map((body) => `${body}${npiCheckDigit(body)}`);
  const [even, odd] = [new NpiSet(), new NpiSet()];
  npis.forEach((npi, at) => {
    (at % 2 === 0 ? even : odd).add(npi);
  });
  even.addAll(odd);
  expect(npis.map((npi) => even.has(npi))).toEqual(npis.map(() => true));
  const copy = new NpiSet();
  copy.addAll(odd);
  for (const npi of npis) copy.add(npi);
  expect(npis.map((npi) => odd.has(npi))).toEqual(npis.map((_, at) => at % 2 === 1));
});

test('the table of taxonomies has every type, each code once, and is refused where a type is none', () => {
  const table = readTaxonomyTable();
  expect(new Set([...table.values()].map(({ type }) => type)).size).toBe(6);
  expect(table.get('261QF0400X')).toMatchObject({ type: 'fqhc' });
  const entry = { code: '207Q00000X', description: 'Family Medicine Physician', type: 'pcp' };
  expect(() => parseTaxonomyTable(JSON.stringify([entry, entry]), 'here')).toThrow('here: a code is there twice');
  expect(() => parseTaxonomyTable(JSON.stringify([{ ...entry, type: 'all' }]), 'here')).toThrow(/^here: /);
});
