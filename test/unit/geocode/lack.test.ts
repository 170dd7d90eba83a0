import { expect, test } from 'vitest';
import { lackOf } from '../../../src/geocode/parse/lack.js';

test.each([
  ['homeless', 'street'],
  ['Main St, Sampleton, TX 78701', 'street'],
  ['TX 78701', 'street'],
  ['150 Main St', 'place'],
  ['150 Main St, Sampleton', 'place'],
  ['Main St & Oak Ave', 'place'],
  ['150 Main St, TX', undefined],
  ['150 Main St 78701', undefined],
  ['Main St & Oak Ave, 78701', undefined],
  ['Main St 150, TX', undefined],
  ['Jane Sample 150 Main St, TX', undefined],
  ['PO Box 12', undefined],
])('%s lacks: %s', (address, expected) => {
  expect(lackOf(address)).toBe(expected);
});
