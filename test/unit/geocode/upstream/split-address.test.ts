import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitAddress } from '../../../../src/geocode/upstream/split-address.js';

const parts = (street: string, city: string, state: string, zip: string) => ({ street, city, state, zip });

test.each([
  ['7 Main St, Sampleton, DE 19901', parts('7 Main St', 'Sampleton', 'DE', '19901')],
  ['7 Main St, Sampleton, de, 19901-1234, USA', parts('7 Main St', 'Sampleton', 'de', '19901')],
  ['7 Main St, Apt 4B, Sampleton, North Dakota', parts('7 Main St Apt 4B', 'Sampleton', 'North Dakota', '')],
  ['7 Main St, Sampleton 19901', parts('7 Main St', 'Sampleton', '', '19901')],
  [' 7\tMain St ,, Sampleton ,WEST VIRGINIA  United States. ', parts('7 Main St', 'Sampleton', 'WEST VIRGINIA', '')],
  ['7 Main St, Delaware, OH 43015', parts('7 Main St', 'Delaware', 'OH', '43015')],
])('%j is told apart', (address, expected) => {
  expect(splitAddress(address)).toEqual(expected);
});

test.each([
  '7 Main St Sampleton DE 19901',
  '7 Main St, Sampleton',
  ', Sampleton, DE',
  '7 Main St, DE 19901',
  '7 Main St, Apt 2, New York 10001',
  '7 Main St, # 2, New York 10001',
  '',
  '19901',
])('%j cannot be told apart', (address) => {
  expect(splitAddress(address)).toBeUndefined();
});

test('whatever the text, its parts are from it, on one line, and come quickly', () => {
  const hostile = fc.oneof(
    fc.string({ maxLength: 500 }),
    fc.string({ unit: fc.constantFrom(',', ' ', '1', 'DE', '-', '\n', 'USA', '.'), maxLength: 500 }),
  );
  fc.assert(
    fc.property(hostile, (address) => {
      // Processor time: the machine has other things to do.
      const takesMs = (): number => {
        const startedAt = process.cpuUsage();
        splitAddress(address);
        return process.cpuUsage(startedAt).user / 1000;
      };
      // No garbage is collected each time.
      expect(Math.min(...Array.from({ length: 3 }, takesMs))).toBeLessThan(50);
      const found = splitAddress(address);
      for (const part of Object.values(found ?? {})) expect(part).not.toMatch(/\p{Cc}/u);
      expect(found?.zip ?? '').toMatch(/^(?:\d{5})?$/);
    }),
  );
});
