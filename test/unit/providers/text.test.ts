import { describe, expect, it } from 'vitest';
import { addressLine, cityName } from '../../../src/load/providers/text/address-line.js';
import { textOrNull } from '../../../src/load/providers/text/clean-text.js';
import { normalizeCredential } from '../../../src/load/providers/text/credential.js';
import { organizationName } from '../../../src/load/providers/text/organization-name.js';
import { personName, wholeName } from '../../../src/load/providers/text/person-name.js';
import { phoneNumber } from '../../../src/load/providers/text/phone-number.js';
import { readZip } from '../../../src/load/providers/text/zip-code.js';

describe('names, as people write them', () => {
  it.each([
    [['JANE', 'Q', 'DOE', ''], 'Jane Q. Doe'],
    [['jane', 'q.', 'doe', 'jr'], 'Jane Q. Doe Jr.'],
    [['MARY ANN', '', "O'NEIL-MCDONALD", 'III'], "Mary Ann O'Neil-McDonald III"],
    [['Anne', 'de', 'la Cruz', ''], 'Anne de la Cruz'],
    [['<UNAVAIL>', '', 'DOE', ''], 'Doe'],
    [['', 'Q', '', 'JR.'], ''],
  ])('%j is %s', ([first = '', middle = '', last = '', suffix = ''], expected) => {
    expect(personName({ first, middle, last, suffix })).toBe(expected);
  });

  it('takes a whole name as it takes one in parts', () => {
    expect(wholeName('C. SHANE DOE JR')).toBe('C. Shane Doe Jr.');
  });

  it.each([
    ['DEMO COUNTY HOSPITAL OF THE NORTH, LLC', 'Demo County Hospital of the North, LLC'],
    ["WOMEN'S HEALTH & WELLNESS, INC.", "Women's Health & Wellness, Inc."],
    ['KCHC - KAMAN CLINIC', 'KCHC - Kaman Clinic'],
    ['ST. SAMPLE (CHC) FAMILY PRACTICE, P.C.', 'St. Sample (CHC) Family Practice, P.C.'],
    ['1ST CHOICE URGENT CARE 24/7', '1st Choice Urgent Care 24/7'],
    ['YMCA OF THE DEMO COAST', 'YMCA of the Demo Coast'],
    ['Already Written iCare LLC', 'Already Written iCare LLC'],
    ['DEMO &amp; SAMPLE CLINICA DO&#209;A', 'Demo & Sample Clinica Doña'],
    ['No &#7;Bell&nothing; &#999999; R&D', 'No Bell&nothing; \u{f423f} R&D'],
  ])('%s is %s', (shouted, expected) => {
    expect(organizationName(shouted)).toBe(expected);
  });

  it.each([
    ['M.D.', 'MD'],
    ['M. D.', 'MD'],
    ['A.R.N.P., PMHNP-BC', 'ARNP, PMHNP-BC'],
    ['MD PHD', 'MD, PhD'],
    ['M.D.,PH.D.', 'MD, PhD'],
    ['PHYSICIAN ASSISTANT', 'Physician Assistant'],
    ['', null],
    ['<UNAVAIL>', null],
    ['--', null],
  ])('credential %s is %s', (shouted, expected) => {
    expect(normalizeCredential(shouted)).toBe(expected);
  });
});

describe('addresses, phones and ZIPs', () => {
  it('writes addresses in mixed case and joins their lines', () => {
    expect(addressLine('162 N APMAN DR NE', 'STE 4B')).toBe('162 N Apman Dr NE, Ste 4B');
    expect(addressLine('PO BOX 12', '')).toBe('PO Box 12');
    expect(addressLine('<UNAVAIL>', ' ')).toBeNull();
    expect(cityName('ST. PAUL')).toBe('St. Paul');
    expect(cityName('MCDEMO')).toBe('McDemo');
  });

  it('drops control characters', () => {
    expect(textOrNull('a\u0007 b\u001f c\u200b')).toBe('a b c');
  });

  it.each([
    ['6125550100', '612-555-0100'],
    ['(612) 555-0100 x12', '612-555-0100'],
    ['1-612-555-0100', '612-555-0100'],
    ['6125550100.0', '612-555-0100'],
    ['612.555.0000', '612-555-0000'],
    ['612.555.0100 Ext: 12', '612-555-0100'],
    ['612-555-0100, extension 12', '612-555-0100'],
    ['612-555-0100 ext.12', '612-555-0100'],
    ['5550100', null],
    ['0000000000', null],
    ['', null],
  ])('phone %s is %s', (text, expected) => {
    expect(phoneNumber(text)).toBe(expected);
  });

  it.each([
    ['55401', 'MN', { zip: '55401', repaired: false }],
    ['554011234', 'MN', { zip: '55401', repaired: false }],
    ['55401-1234', 'MN', { zip: '55401', repaired: false }],
    ['554011234.0', 'MN', { zip: '55401', repaired: false }],
    ['7030.0', 'NJ', { zip: '07030', repaired: true }],
    ['70301234', 'NJ', { zip: '07030', repaired: true }],
    ['926', 'PR', { zip: '00926', repaired: true }],
    ['9261234.0', 'PR', { zip: '00926', repaired: true }],
    ['802', 'VI', { zip: '00802', repaired: true }],
    ['703', 'NJ', undefined],
    ['7030', 'MN', undefined],
    ['K1A 0B1', null, undefined],
    ['', 'NJ', undefined],
  ])('ZIP %s in %s', (text, state, expected) => {
    expect(readZip(text, state)).toEqual(expected);
  });
});
