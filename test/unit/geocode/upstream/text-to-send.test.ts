import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textToSend } from '../../../../src/geocode/upstream/text-to-send.js';

test.each([
  '(512) 555-0100 150 Main St, Sampleton, TX 78701',
  'Jane Roe DOB 1/2/1950 150 Main St, Sampleton, TX 78701',
  '1950-01-02, 150 Main St, Sampleton, TX 78701',
  '<a name="Jane Roe">150 Main St</a>, Sampleton, TX 78701',
  '150 Main St&#60;a title="Jane Roe"&#62;, Sampleton, TX 78701',
  '150+Main+St%3Ca+title%3D%22Jane+Roe%22%3E,+Sampleton,+TX+78701',
  '{"name":"Jane Roe","line":["150 Main St"],"city":"Sampleton","state":"TX","postalCode":"78701"}',
])('what is left out to read an address is not sent, either: %s', (text) => {
  expect(textToSend(text)).toBe('150 MAIN ST, SAMPLETON, TX 78701');
});

test.each([
  '150 Main St, Sampleton, TX nan',
  '150 Main St, Sampleton, TX, 99999-9999',
  '150 Main St, Sampleton, TX NULL (512) 555-0100',
])('nor what stands for a missing ZIP, which other geocoders would take for a part of the city: %s', (text) => {
  expect(textToSend(text)).toBe('150 MAIN ST, SAMPLETON, TX');
});

test.each([
  '150 Main St DOB 1/2/1950, Sampleton, TX 78701',
  '150 Main St, Sampleton DOB: 1/2/1950, TX 78701',
  '150 Main St 1950-01-02 Sampleton, TX 78701',
  '150 Main St 1.2.1950, Sampleton, TX 78701',
  '150 Main St 1-2-50, Sampleton, TX 78701',
  '150 Main St 1950/01/02, Sampleton, TX 78701',
  '150 Main St, Sampleton 1950-01-02T00:00:00.000Z, TX 78701',
  'born January 2, 1950 150 Main St, Sampleton, TX 78701',
  '150 Main St born Jan 2nd 1950, Sampleton, TX 78701',
  '150 Main St, Sampleton, DOB: 2 Jan. 1950, TX 78701',
  '150 Main St 02-Jan-1950, Sampleton, TX 78701',
  '150 Main St 512\u2011555\u20110100, Sampleton, TX 78701',
  '150 Main St, Sampleton (512) 555\u20130100, TX 78701',
  '150 Main St 555.0100, Sampleton, TX 78701',
  '150 Main St SSN 123-45-6789, Sampleton, TX 78701',
  '150 Main St, Sampleton 123-45-6789, TX 78701',
  '123-45-6789 150 Main St, Sampleton, TX 78701',
  '150 Main St MRN 12345678, Sampleton, TX 78701',
  '150 Main St Medicaid ID: AB12345C Sampleton, TX 78701',
  '150 Main St (512) 555-0100, Sampleton, TX 78701',
  '150 Main St 5125550100 Sampleton, TX 78701',
  '150 Main St, Sampleton +1 512.555.0100, TX 78701',
  '150 Main St Ph512-555-0100, Sampleton, TX 78701',
  '150 Main St #512-555-0100, Sampleton, TX 78701',
  '150 Main St 555-0100, Sampleton, TX 78701',
  '555-0100 150 Main St, Sampleton, TX 78701',
  '150%20Main%20St%20512-555-0100,%20Sampleton,%20TX%2078701',
  '150 Main St jane.roe@example.org, Sampleton, TX 78701',
  '150 Main St, Sampleton jane.roe@example.org, TX 78701',
  '150 Main St Box 12, Sampleton, TX 78701',
  '150 Main St, Sampleton Box 12, TX 78701',
  '150 Main St c/o Jane Roe, Sampleton, TX 78701',
  '150 Main St Attn: Jane Roe, Sampleton, TX 78701',
  '150 Main St care of Jane Roe, Sampleton, TX 78701',
  '150 Main St in care of Jane Roe, Sampleton, TX 78701',
  '150 Main St c.o. Jane Roe, Sampleton, TX 78701',
  '150 Main St % Jane Roe, Sampleton, TX 78701',
  '150 Main St Patient: Jane Roe, Sampleton, TX 78701',
  '150 Main St, Sampleton name=Jane Roe, TX 78701',
  '150 Main St (Jane Roe) Sampleton TX 78701',
  '150 Main St [Jane Roe], Sampleton, TX 78701',
  '150 Main St, Sampleton (Jane Roe), TX 78701',
  '(150 Main St, Sampleton, TX 78701) (Jane Roe)',
  'House number: 150, Street name: Main St, City: Sampleton, State: TX, Zip: 78701, Name: Jane Roe',
])('what concerns people is not sent, wherever it stands: %s', (text) => {
  expect(textToSend(text)).toBe('150 MAIN ST, SAMPLETON, TX 78701');
});

test.each([
  '150 Main St, Sampleton, c/o Jane Roe, TX 78701',
  '150 Main St, Sampleton, Attn: Jane Roe, TX 78701',
  '150 Main St, care of Jane Roe Sampleton, TX 78701',
  '150 Main St\n% Jane Roe Sampleton\nTX 78701',
  '150 Main St^^c/o Jane Roe Sampleton^TX^78701^USA^H',
])('a receiver is not sent for a city: %s', (text) => {
  expect(textToSend(text)).toBe('150 MAIN ST, TX 78701');
});

test.each([
  '150 Main St, Sampleton, TX, Jane Roe',
  '150 Main St, Sampleton 78701, Jane Roe',
  'Main St & Oak Ave, Sampleton, TX, Jane Roe',
  'Main St & Oak Ave, Sampleton, Jane Roe, TX 78701',
  'Sampleton, TX 78701, 150 Main St, Jane Roe',
  '150 Main St, Sampleton, TX, c/o Jane Roe',
  '150 Main St, Sampleton, c/o Jane Roe, TX',
  'Sampleton, TX 78701, 150 Main St, Attn Jane Roe',
  'Main St & Oak Ave, care of Jane Roe, TX 78701',
  'Main St & Oak Ave, c.o. Jane Roe, TX 78701',
  'Main St & Oak Ave, born January 2, 1950, TX 78701',
  '123456789 150 Main St, Sampleton, TX 78701',
  '150 Main St 123456789, Sampleton, TX 78701',
  'Jane Roe MD 150 Main St',
  'Jane Roe, MD, 150 Main St',
  'Sampleton TX 150 Main St',
  // Without the city, which goes along with the name, the house may be anywhere in Texas.
  '150 Main St c/o Jane Roe Sampleton TX',
])('nothing is sent where what concerns people cannot be told apart: %s', (text) => {
  expect(textToSend(text)).toEqual({ noMatch: 'no match' });
});

test.each([
  '78701 Jane Roe, 150 Main St',
  '78701 Jane Roe 150 Main St',
  '78701, Jane Roe, 150 Main St',
  '78701-1234 Jane Roe, 150 Main St',
  '78701 150 Main St, Jane Roe',
  '78701 Sampleton, 150 Main St',
  '78701 Jane Roe, 150 Main St, Sampleton, TX',
])('what may be a city or a name beside a ZIP at the beginning is not sent: %s', (text) => {
  expect(textToSend(text)).toBe('150 MAIN ST, 78701');
});

test.each([
  '150 Main St, Sampleton, Jane Roe, TX 78701',
  '150 Main St, Jane Roe, Sampleton, TX 78701',
  '150 Main St, Apt 3, Sampleton, Jane Roe, TX 78701',
  '150 Main St^^Sampleton^Jane Roe^TX^78701^USA^H',
  '150 Main St, Sampleton, Jane Roe, 78701 TX',
])('no part is sent for the city where another may be it: %s', (text) => {
  expect(textToSend(text)).toBe('150 MAIN ST, TX 78701');
});

test('a ZIP at the beginning is no house number of whoever follows it', () => {
  expect(textToSend('78701 Jane Roe, 150 Main St, Sampleton, TX')).toBe('150 MAIN ST, 78701');
  expect(textToSend('78701 Attn Jane Roe, 150 Main St, Sampleton, TX')).toBe('150 MAIN ST, 78701');
  expect(textToSend('48335 8 Mile Rd, Sampleton, MI')).toBe('48335 8 Mile Rd, Sampleton, MI');
});

test.each([
  '78701 Jane Roe, Main St 150',
  '78701 Jane Lane, 150 Main St Sampleton TX',
  '78701 Jane Roe, #4-150 Main St',
  '78701 Jane Roe, Apt 4 150 Main St',
  '78701 Jane Roe-Doe, 150 Main St',
  '78701 Jane Lane, 150 Main St',
  '78701 Dr Jane Roe, 150 Main St',
  '78701 Jane & John Roe, 150 Main St',
  '00901 Jane Roe, Calle Luna 150',
])('nothing is sent where a number after a comma leaves open whether the first is a ZIP: %s', (text) => {
  expect(textToSend(text)).toEqual({ noMatch: 'no match' });
});

test.each([
  '78701 Main St, Sampleton',
  '78701 Main St, Apt 4',
  '78701 Main St, 2nd Floor, Sampleton, TX',
  '78701 8 Mile Rd, Sampleton, MI',
  '78701 Broadway, Sample Park, TX',
])('a number of five digits may be a house’s, too: %s', (text) => {
  expect(textToSend(text)).toBe(text);
});

test('a number that a house and its city follow is no ZIP', () => {
  const text = '78701 Overseas Hwy, Sampleton, FL';
  expect(textToSend(text)).toBe(text);
});

test.each([
  'Jane Roe 1501/2 Main St, Sampleton, TX 78701',
  'Jane Roe 150/152 Main St, Sampleton, TX 78701',
  'Jane Roe 150 & Oak Ave, Sampleton, TX 78701',
])('a name and a house number are no street of a corner: %s', (text) => {
  expect(textToSend(text)).toEqual({ noMatch: 'no match' });
});

test.each([
  ['Avenue 5 & 8 Mile Rd, Sampleton, TX', 'AVENUE 5 & 8 MILE RD, SAMPLETON, TX'],
  ['State Hwy 12 and Sample, Sampleton, TX', 'STATE HWY 12 & SAMPLE, SAMPLETON, TX'],
  ['5th & Sample, Sampleton, TX', '5TH & SAMPLE, SAMPLETON, TX'],
])('the numbers of a corner’s streets are sent: %s', (text, sent) => {
  expect(textToSend(text)).toBe(sent);
});

test.each([
  '102900 Overseas Hwy, Sampleton, FL 33037',
  'N112W16234 Main St, Sampleton, WI 53022',
  '37-18 75th St, Sampleton, NY 11372',
  '150 Highway 302, Sampleton, TX 787011234',
  '150 Avenue C, O’Fallon, MO 63366',
])('numbers of houses, roads and ZIPs are no people’s: %s', (text) => {
  expect(textToSend(text)).toBe(text);
});

test('a road may be called after a box', () => {
  expect(textToSend('150 Box Elder Rd, Sampleton, TX 78701')).toBe('150 BOX ELDER RD, SAMPLETON, TX 78701');
});

/** The pieces of an address in the orders that are read, each with what separates it from the piece before. */
const ORDERS: readonly (readonly string[])[] = [
  ['150 Main St', ', Sampleton', ', TX', ' 78701'],
  ['150 Main St', ' Sampleton', ' TX', ' 78701'],
  ['150 Main St', ', Sampleton', ', TX'],
  ['150 Main St', ', Apt 3', ', Sampleton', ', TX', ' 78701-1234'],
  ['150 Main St', ', 78701', ' Sampleton', ', TX'],
  ['150 Main St', ', Sampleton', ', 78701', ' TX'],
  ['150 Main St', '|TX', '|Sampleton', '|78701'],
  ['150 Main St^^', 'Sampleton', '^TX', '^78701', '^USA^H'],
  ['Sampleton', ', TX', ' 78701', ', 150 Main St'],
  ['78701', ', Sampleton', ', TX', ', 150 Main St'],
  ['78701', ' TX', ' Sampleton', ' 150 Main St'],
  ['78701', ' 150 Main St', ', Sampleton', ', TX'],
  ['Main St & Oak Ave', ', Sampleton', ', TX', ' 78701'],
];
const SEPARATORS = [' ', ', ', '; ', '\n', '\t', '|', ' - '];

const name = fc.stringMatching(/^[A-Z][a-z]{1,5}q[a-z]{2,5}$/);
const digits = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[2-9]{${length}}$`));
/** What concerns people, with what of it must not be sent. */
const personal = fc.oneof(
  fc
    .tuple(fc.constantFrom('c/o', 'C/O:', 'Attn', 'ATTN:', 'Attention', 'care of', 'c.o.', '%'), name, name)
    .map(([label, first, last]) => ({ text: `${label} ${first} ${last}`, parts: [first, last] })),
  fc
    .tuple(digits(3), digits(3), digits(4), fc.constantFrom('-', '.', '\u2011', '\u2013'))
    .map(([area, office, line, dash]) => ({ text: [area, office, line].join(dash), parts: [line] })),
  fc.tuple(name, name).map(([first, last]) => ({ text: `${first}.${last}@example.org`, parts: [first, last] })),
  digits(8).map((number) => ({ text: `MRN ${number}`, parts: [number] })),
  fc.date({ min: new Date('1930-01-01'), max: new Date('1999-12-31'), noInvalidDate: true }).chain((date) => {
    const [year = '', month = '', day = ''] = date.toISOString().slice(0, 10).split('-');
    const inWords = date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    const texts = [`${month}/${day}/${year}`, `${year}-${month}-${day}`, `DOB ${month}-${day}-${year}`, inWords];
    return fc.constantFrom(...texts).map((text) => ({ text, parts: [year] }));
  }),
);

test('what concerns people is sent from no place in any order of an address', () => {
  const inAddress = fc.record({
    order: fc.constantFrom(...ORDERS),
    position: fc.nat(5),
    before: fc.constantFrom(...SEPARATORS),
    behind: fc.constantFrom(...SEPARATORS),
    personal,
  });
  const property = fc.property(inAddress, ({ order, position, before, behind, personal: { text, parts } }) => {
    const [begin, end] = [order.slice(0, position).join(''), order.slice(position).join('')];
    const sent = textToSend(`${begin}${begin && before}${text}${end && behind}${end.replace(/^[ ,|^]+/, '')}`);
    if (typeof sent !== 'string') return;
    for (const part of parts) expect(sent.toUpperCase()).not.toContain(part.toUpperCase());
  });
  fc.assert(property, { numRuns: 2000 });
});
