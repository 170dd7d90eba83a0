import { expect, test } from 'vitest';
import { faultIn } from '../../../src/geocode/parse/fault.js';

test.each([
  ['homeless', 'no street'],
  ['N/A', 'no street'],
  ['N/A, Sampleton, TX 78701', 'no street'],
  ['Main St, Sampleton, TX 78701', 'no street'],
  ['TX 78701', 'no street'],
  ['150 Main St', 'no place'],
  ['150 Main St, Sampleton', 'no place'],
  ['Main St & Oak Ave', 'no place'],
  ['Jane Sample 150 Main St', 'no place'],
  ['150 Oak Ct, Sampleton', 'no place'],
  ['150 Main St, Sampleton, behind the church', 'no place'],
  ['150 Main St, Sampleton, TX, behind the church', undefined],
  ['150 Main St, Sampleton, TX DO NOT MAIL', undefined],
  ['150 Main St, Sampleton, TX 78 701', undefined],
  ['150 Main St, Sampleton, in the rear', 'no place'],
  ['150 Main St, De La Sample', 'no place'],
  ['150 Main St, Mt Sample', 'no place'],
  ['150 Main St; Sampleton, Texas (mailing)', undefined],
  ['150 Main St Sampleton TX, behind the church', undefined],
  ['Sampleton TX 150 Main St', undefined],
  ['150 Main St, TX', undefined],
  ['150 Main St 78701', undefined],
  ['Main St & Oak Ave, 78701', undefined],
  ['Main St 150, TX', undefined],
  ['Jane Sample 150 Main St, TX', undefined],
  ['150 Main St, TX 78701; 12 Oak Ave, TX 78701', 'several'],
  ['150 Main St, TX 78701 / 150 Main St, TX 78701', undefined],
  ['PO Box 12', undefined],
])('what is amiss with %s: %s', (address, expected) => {
  expect(faultIn(address)).toBe(expected);
});
