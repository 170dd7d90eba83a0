import { describe, expect, test } from 'vitest';
import { addressFilesOf } from '../../../src/format/addresses/address-files.js';
import { inTexas, matchedIn, openBlocks, openZips, streetOf, streetsOf } from '../../support/made-up-streets.js';

test.each([
  ['a unit', '150 Main St, Sampleton, TX 78701, Apt 3'],
  ['a unit without a comma', '150 Main St, Sampleton, TX 78701 #3'],
  ['a unit behind the state', '150 Main St, Sampleton, TX, Apt 3'],
  ['a county', '150 Main St, Sampleton, TX 78701, Travis County'],
  ['a county before the state', '150 Main St, Sampleton, Travis County, TX'],
  ['a state written together with the ZIP', '150 Main St Sampleton TX78701'],
  ['a ZIP before the state', '150 Main St, Sampleton, 78701 TX'],
  ['a ZIP and a comma before the state', '150 Main St, Sampleton, 78701, TX'],
  ['a hyphen between state and ZIP', '150 Main St, Sampleton, TX-78701'],
  ['a ZIP written together with the state', '150 Main St, Sampleton, 78701TX'],
  ['ZIP+4 written together with the state', '150 Main St, Sampleton, TX787010000'],
  ['a ZIP before the city', '150 Main St, 78701 Sampleton'],
  ['a ZIP before city and state', '150 Main St, 78701 Sampleton, TX'],
  ['a ZIP before city and state without a comma', '150 Main St, 78701 Sampleton Texas'],
  ['a ZIP behind the street, without commas', '150 Main St 78701 Sampleton TX'],
  ['the city twice', '150 Main St Far Off Place, Far Off Place, TX 78701'],
  ['the state twice', '150 Main St, Sampleton, TX TX'],
  ['the state twice, without commas', '150 Main St Sampleton TX TX'],
  ['city and state twice', '150 Main St Sampleton TX, Sampleton, TX 78701'],
  ['ZIP+4 that was cut off', '150 Main St, Sampleton, TX 78701-00'],
  ['ZIP+4 that lost its zeros', '150 Main St, Elsewhere, Texas, 78701-0'],
  ['a ZIP that lost a figure', '150 Main St, Sampleton, TX 7870'],
  ['a ZIP with a figure too many', '150 Main St, Sampleton, TX 787011'],
  ['ZIP+4 with a figure too few', '150 Main St, Sampleton, TX 78701000'],
  ['ZIP+4 with a figure too many', '150 Main St, Elsewhere, TX 78701-00000'],
  ['a ZIP with a letter for a figure', '150 Main St, Sampleton, TX 7870A'],
  ['a ZIP with a letter behind it', '150 Main St Sampleton TX 78701x'],
  ['the number behind the street', 'Main St 150, Sampleton, TX 78701'],
  ['a form’s labels', 'Street: 150 Main St City: Sampleton State: TX Zip: 78701'],
  [
    'more labels',
    'House No: 150 Street Name: Main St City: Sampleton County: Travis State: TX Zip: 78701 Country: USA',
  ],
  ['a unit with a sign before the number', 'Apt. #4 150 Main St, Sampleton, TX 78701'],
  ['spaces in another encoding', '150Â\u00a0Main StÂ\u00a0Apt 3, Sampleton,Â\u00a0TX 78701'],
  ['a line break of a page', '150 Main St<br>Sampleton, TX&nbsp;78701'],
  ['a floor', '150 Main St 2 Fl, Sampleton, TX 78701'],
  ['a floor, then a unit', '150 Main St 3 FL Apt 2, Sampleton, TX 78701'],
  ['a word before the number’s sign', 'House # 150 Main St, Sampleton, TX 78701'],
  ['the same without its sign', 'HOUSE NO. 150 MAIN ST SAMPLETON TX 78701'],
  ['the same abbreviated', 'Hse # 150 Main St, Sampleton, TX 78701'],
  ['a street’s number', 'Street No. 150 Main St, Sampleton, TX 78701'],
  ['the corner that it is at', '150 Main St at corner of Oak Ave, Sampleton, TX 78701'],
  ['the corner, with an article', '150 Main St on the corner of Oak Ave, Sampleton, TX 78701'],
  ['the streets that it is between', '150 Main St btwn Oak Ave and Elm St, Sampleton, TX 78701'],
  ['the street that it is at', '150 Main St at Oak Ave, Sampleton, TX 78701'],
  ['a center that it is in', '150 Main St Sample Medical Center, Sampleton, TX 78701'],
  ['the street twice', '150 Main St 150 Main St, Sampleton, TX 78701'],
  ['the street that it is near', '150 Main St near Oak Ave, Sampleton, TX 78701'],
  ['the street that it is near, in two words', '150 Main St off of Oak Ave, Sampleton, TX 78701'],
  ['another name of the street', '150 Main St aka Oak Ave, Sampleton, TX 78701'],
  ['a building that looks like a street, in brackets', '150 Main St (Sample Medical Center), Sampleton, TX 78701'],
  ['a name of the street in brackets', '150 Main St (formerly Oak Ave)\nSampleton, TX 78701'],
  ['a county in brackets', '150 Main St, Sampleton, TX 78701 (Travis)'],
  ['a county abbreviated', '150 Main St, Sampleton, Travis Co., TX'],
  ['a county abbreviated, without commas', '150 Main St Sampleton Travis Co TX 78701'],
  ['no space behind the number', '150Main St, Sampleton, TX 78701'],
  ['a hyphen behind the number', '150-Main St, Sampleton, TX 78701'],
  ['a space that went through HTML', '150&nbsp;Main St, Sampleton, TX 78701'],
  ['a line break as text', '150 Main St\\nSampleton, TX 78701'],
  ['a line break as text, of Windows', '150 Main St\\r\\nSampleton, TX 78701'],
  ['a line break of HL7', '150 Main St\\.br\\Sampleton, TX 78701'],
  ['no values of a database', '150 Main St\t\\N\tSampleton\tTX\t\\N'],
  ['elements', '<line>150 Main St</line><city>Sampleton</city><state>TX</state><zip>78701</zip>'],
  ['an object', '{"line":["150 Main St"],"city":"Sampleton","state":"TX","postalCode":"78701"}'],
  ['names and values', 'Line1=150 Main St;Line2=;City=Sampleton;State=TX;Zip_Code=78701'],
  ['characters by number', '150&#32;Main St&#44; Sampleton&#44; TX&#160;78701'],
  ['characters by number, hexadecimal', '150&#x20;Main St&#x2c; Sampleton&#X2C; TX&#xA0;78701'],
  ['a character that there is not', '150&#x110000;Main St, Sampleton, TX 78701'],
  ['a tab by number', '150 Main St&#9;Sampleton&#9;TX 78701'],
  ['a line break of a page, encoded', '150 Main St&lt;br&gt;Sampleton, TX 78701'],
  ['a comma by name', '150 Main St&comma; Sampleton&comma; TX 78701'],
  ['quotes of HTML', '&quot;150 Main St&quot;, Sampleton, TX 78701'],
  ['an accent of HTML', 'c/o Mar&iacute;a, 150 M&aacute;in St, Sampleton, TX 78701'],
  ['a URL’s encoding', '150%20Main%20St%2C%20Sampleton%2C%20TX%2078701'],
  ['a form’s encoding', '150+Main+St,+Sampleton,+TX+78701'],
  ['a box for the mail', 'Mailing: PO Box 12, Physical: 150 Main St, Sampleton, TX 78701'],
  ['a box for the mail, without a comma', 'Mail to PO Box 12 lives at 150 Main St, Sampleton, TX 78701'],
  ['a box before a name', 'P.O. Box 12, Sample Clinic 150 Main St, Sampleton, TX 78701'],
  ['a route’s box before the number', 'RR 2 Box 45A 150 Main St, Sampleton, TX 78701'],
  ['another route’s box before the number', 'Rt 2, Box 45, 150 Main St, Sampleton, TX 78701'],
  ['a contract’s box before the number', 'HC 63 Box 12 150 Main St, Sampleton, TX 78701'],
  ['a telephone number before it', '(512) 555-0100 150 Main St, Sampleton, TX 78701'],
  ['a telephone number and a comma before it', '(512) 555-0100, 150 Main St, Sampleton, TX 78701'],
  ['a telephone number with hyphens before it', 'Ph 512-555-0100 150 Main St, Sampleton, TX 78701'],
  ['a date before it', 'Jane Roe DOB 1/2/1950 150 Main St, Sampleton, TX 78701'],
  ['a date with hyphens before it', '1950-01-02 150 Main St, Sampleton, TX 78701'],
  ['a letter beyond accents before it', 'c/o Søren Łukasz, 150 Main St, Sampleton, TX 78701'],
])('what the end of an address may look like: %s', (_, address) => {
  expect(streetOf(inTexas(['Main St']), address)).toBe('150 Main St');
});

test.each([
  '150 Main St, Sampleton, TX nan',
  '150 Main St, Sampleton, Texas, NaN, USA',
  '150 Main St Sampleton TX None',
  '150 Main St, Sampleton, TX, NULL, NULL',
  '150 Main St, Sampleton, TX N/A',
  '150 Main St, Sampleton, TX #N/A',
  '150 Main St, Sampleton, TX unknown',
  '150 Main St, Sampleton, TX XXXXX',
  '150 Main St, Sampleton, TX (blank)',
  '150 Main St, Sampleton, TX 0',
  '150 Main St, Sampleton, TX, 0.0',
  '150 Main St, Sampleton, TX 00000',
  '150 Main St, Sampleton, TX 00000-0000',
  '150 Main St, Sampleton, TX 99999',
  '150 Main St, Sampleton, TX 99999-9999 USA',
])('an address whose ZIP is missing is found by its city, whatever stands for the ZIP: %s', (address) => {
  expect(streetOf(inTexas(['Main St']), address)).toBe('150 Main St');
});

test.each(['150 Main St, Sampleton nan', '150 Main St nan'])(
  'but not where the state is missing, too: %s',
  (address) => {
    expect(streetOf(inTexas(['Main St']), address)).toBe('no match');
  },
);

test.each([
  ['150 O&#39;Sample St', '150 O’Sample St'],
  ['150 O&#x27;Sample St', '150 O’Sample St'],
  ['150 O&#x2019;Sample St', '150 O’Sample St'],
  ['150 O&amp;#x27;Sample St', '150 O’Sample St'],
  ['150 O&apos;Sample St', '150 O’Sample St'],
  ['150 O&rdquo;Sample St', '150 O’Sample St'],
  ['150 O&prime;Sample St', '150 O’Sample St'],
  ['150 Ca&#xF1;on Rd', '150 Canon Rd'],
  ['150 Ca&ncaron;on Rd', '150 Canon Rd'],
  ['37&#x2013;18 Elm St', '37-18 Elm St'],
  ['37&ndash;18 Elm St', '37-18 Elm St'],
  ['150 O &amp; Elm St', '150 O St'],
])('an encoded character within a name does not end the street: %s', (address, expected) => {
  const streets = ['O St', 'O’Sample St', 'Ca Rd', 'Canon Rd'].map((street) => {
    return { street, zip: '10001', prefix: '', from: 1, to: 1999 };
  });
  const queens = { street: 'Elm St', zip: '10001', prefix: '37-', from: 1, to: 99 };
  expect(streetOf(openBlocks([...streets, queens]), `${address}, NY 10001`)).toBe(expected);
});

test.each([
  ['150 Main St^^Sampleton^TX^78701^USA^H', '150 Main St'],
  ['150 Main St^APT 2^Sampleton^TX^78701^^HOME', '150 Main St'],
  ['150 Main St, Sampleton, TX, 78701, USA, Home', '150 Main St'],
  ['150 Main St Sampleton TX, USA 78701', '150 Main St'],
  ['150 Main St Sampleton Texas, United States 78701-0000', '150 Main St'],
  ['Sampleton, TX 78701, 150 Main St', '150 Main St'],
  ['Sampleton TX 78701-0000\n150 Main St Apt 3', '150 Main St'],
  ['Sampleton, TX, 78701, 150 Elm Ct', '150 Elm Ct'],
  ['Sampleton TX 78701 150 Elm Ct', '150 Elm Ct'],
  ['Sampleton, TX 78701 - 150 Main St Apt 3', '150 Main St'],
  ['78701 150 Main St', '150 Main St'],
  ['78701, 150 Elm Ct', '150 Elm Ct'],
  ['78701-0000 150 Main St, Sampleton, TX, USA', '150 Main St'],
  ['78701 150 Main St Apt 3 Sampleton TX', '150 Main St'],
  ['Jane Sample, MD 12345, 150 Main St, Sampleton, TX', '150 Main St'],
  ['Jane Sample, MD, 12345 Main St', 'no match'],
  ['78701 TX Sampleton 150 Main St', '150 Main St'],
  ['78701, TX, Sampleton 150 Elm Ct Apt 3', '150 Elm Ct'],
  ['78701 Sampleton TX 150 Main St', '150 Main St'],
  ['78701 Sampleton 150 Main St', '150 Main St'],
  ['78701, St Sample, 150 Main St', '150 Main St'],
  ['78701 Sample Rd 150 Main St', 'no match'],
  ['78701 Sampleton Apt 3 150 Main St', 'no match'],
  ['78701 Route 150 Main St', 'no match'],
  ['78701 Texas 150 Main St', 'no match'],
  ['78701 Texas, 150 Main St', '150 Main St'],
])('fields in the order of an export: %s', (address, expected) => {
  expect(streetOf(inTexas(['Main St', 'Elm Ct']), address)).toBe(expected);
});

test.each([
  ['Sampleton TX 150 Main St', '150 Main St'],
  ['Sampleton, TX 150 Main St Apt 3', '150 Main St'],
  ['Sampleton, Texas, 150 Main St, Apt 3, USA', '150 Main St'],
  ['TX, Sampleton, 150 Elm Ct', '150 Elm Ct'],
  ['St. Sample TX 150 Main St', '150 Main St'],
  ['Elsewhere, TX, 150 Main St', 'no match'],
  ['Jane Sample TX 150 Main St', 'no match'],
  ['Sample, Jane, TX, 150 Main St', 'no match'],
  ['Sampleton TX 78701 Main St', 'no match'],
  ['Sampleton 150 Main St', 'no match'],
  ['Jane Elsewhere TX 150 Main St, Sampleton, TX', '150 Main St'],
  ['Elsewhere TX 150 Main St Sampleton TX 78701', '150 Main St'],
])('a known city with its state before the street, without a ZIP: %s', (address, expected) => {
  const files = openZips('48', [
    { zip: '78701', city: 'Sampleton', streets: ['Main St', 'Elm Ct'] },
    { zip: '78702', city: 'Saint Sample', streets: ['Main St'] },
    { zip: '78703', city: 'Elsewhere', streets: ['Oak Ave'] },
  ]);
  expect(streetOf(files, address)).toBe(expected);
});

test('where no cities are known, what is before the street may be a person', () => {
  const files = openBlocks([{ street: 'Main St', zip: '10001', prefix: '', from: 1, to: 1999 }]);
  expect(streetOf(files, '150 Main St, Sampleton, NY')).toBe('150 Main St');
  expect(streetOf(files, 'Jane Sample NY 150 Main St')).toBe('no match');
});

test('a house number that looks like a ZIP remains one before a street with a number', () => {
  const eightMile = { street: '8 Mile Rd', zip: '14201', prefix: '', from: 14_001, to: 14_099 };
  const mile = { street: 'Mile Rd', zip: '14202', prefix: '', from: 1, to: 99 };
  const files = openBlocks([eightMile, mile]);
  expect(streetOf(files, '14050 8 Mile Rd, Buffalo, NY')).toBe('14050 8 Mile Rd');
  expect(streetOf(files, '14202 8 Mile Rd, NY 14201')).toBe('no match');
  expect(streetOf(files, 'Jane Sample NY 14202 8 Mile Rd Buffalo NY')).toBe('no match');
});

describe('a state before the city', () => {
  const files = () =>
    addressFilesOf(
      [
        ['09', '06001', 'Sampleton'],
        ['11', '20001', 'Washington'],
        ['36', '10001', 'New York'],
        ['48', '78701', 'Sampleton'],
      ].flatMap(
        ([state = '', zip = '', city = '']) => openZips(state, [{ zip, city, streets: ['Main St', 'Elm Ct'] }]).shards,
      ),
    );

  test.each([
    ['150 Main St | CT | Sampleton', '150 Main St, Sampleton, CT 06001'],
    ['150 Main St | Apt 3 | CT | Sampleton', '150 Main St, Sampleton, CT 06001'],
    ['150 Main St, CT, Sampleton, 06001', '150 Main St, Sampleton, CT 06001'],
    ['150 Elm Ct || TX | Sampleton |', '150 Elm Ct, Sampleton, TX 78701'],
    ['150 Main St | 06001 | CT | Sampleton', '150 Main St, Sampleton, CT 06001'],
    ['150 Main St | DC | Washington', '150 Main St, Washington, DC 20001'],
    ['150 Main St | NY | New York', '150 Main St, New York, NY 10001'],
    ['150, Elm, Ct, Sampleton, TX', '150 Elm Ct, Sampleton, TX 78701'],
    ['150 Main St, Washington, DC, 20001', '150 Main St, Washington, DC 20001'],
    ['150 Main St, New York, New York', '150 Main St, New York, NY 10001'],
    ['Roe, MD, Sampleton', 'no match'],
    ['Washington, DC 150 Main St', '150 Main St, Washington, DC 20001'],
    ['Washington DC 150 Main St', '150 Main St, Washington, DC 20001'],
    ['DC, Washington, 150 Main St', '150 Main St, Washington, DC 20001'],
    ['New York, New York 150 Main St', '150 Main St, New York, NY 10001'],
    ['NY, New York, 150 Main St', '150 Main St, New York, NY 10001'],
    ['Sampleton, CT 150 Elm Ct', '150 Elm Ct, Sampleton, CT 06001'],
  ])('%s', (typed, expected) => {
    expect(matchedIn(files(), typed)).toBe(expected);
  });

  test('is a street’s type behind a name without one', () => {
    expect(streetOf(streetsOf('48', '78701', 'Sampleton', ['Elm St', 'Elm Ct']), '150, Elm, Ct, Sampleton')).toBe(
      '150 Elm Ct',
    );
  });
});

test('a place before the street is not in Connecticut because the street is a court', () => {
  const files = openZips('09', [{ zip: '06001', city: 'Exampleville', streets: ['Elm Ct', 'Elm St'] }]);
  expect(streetOf(files, 'Sampleton, TX 78701, 150 Elm Ct')).toBe('not loaded');
  expect(streetOf(files, 'Exampleville, CT 06001, 150 Elm Ct')).toBe('150 Elm Ct');
  expect(streetOf(files, '78701, Sampleton, TX, 150 Elm Ct')).toBe('not loaded');
  expect(streetOf(files, 'Sampleton, TX, 150 Elm Ct')).toBe('no match');
  expect(streetOf(files, 'CT, Exampleville, 06001, 150 Elm Ct')).toBe('150 Elm Ct');
  expect(streetOf(files, '78701, 150 Elm Ct')).toBe('no match');
  expect(streetOf(files, '06001 150 Elm Ct')).toBe('150 Elm Ct');
  expect(streetOf(files, '06001, Exampleville, CT, 150 Elm Ct')).toBe('150 Elm Ct');
  expect(streetOf(files, '150 Elm Ct Exampleville CT')).toBe('150 Elm Ct');
});

test('a ZIP before the city decides, and is not taken from a second address', () => {
  const files = openZips('48', [
    { zip: '78701', city: 'Sampleton', streets: ['Main St'] },
    { zip: '78702', city: 'Sampleton', streets: ['Main St'] },
  ]);
  for (const written of [
    '78702 Sampleton, TX',
    '78702 Sampleton TX',
    '78702 Sampleton',
    '78702, Sampleton, TX',
    '78702, Sampleton, TX, USA',
    '78702, Sampleton',
  ]) {
    expect(matchedIn(files, `150 Main St, ${written}`)).toBe('150 Main St, Sampleton, TX 78702');
  }
  expect(matchedIn(files, '150 Main St 78702 Sampleton TX')).toBe('150 Main St, Sampleton, TX 78702');
  expect(matchedIn(files, '150 Main St 78702, Sampleton, TX')).toBe('150 Main St, Sampleton, TX 78702');
  expect(matchedIn(files, '150 Main St, 78702 Elm St, Sampleton, TX')).toBe('tie');
  expect(matchedIn(files, '150 Main St, 78702, Elm St, Sampleton, TX')).toBe('tie');
  expect(matchedIn(files, '150 Main St 78702 Elm St Sampleton TX')).toBe('no match');
});

describe('where ZIP and city are not the street’s', () => {
  const files = () =>
    openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Main St'] },
      { zip: '78702', city: 'Otherville', streets: ['Elm St', 'Main St'] },
    ]);

  test.each([
    // Both say Sampleton, which has no Elm Street.
    ['150 Elm St, Sampleton, TX 78701', 'no match'],
    ['150 Elm St, Otherville, TX 78701', '150 Elm St'],
    ['150 Elm St, TX 78701', '150 Elm St'],
    ['150 Elm St, Unknown Springs, TX 78701', '150 Elm St'],
    ...[
      '150 Elm St Sampleton Texas 78701',
      '150 Elm St Apt 4 Sampleton TX 78701',
      '150 Elm St PO Box 12 Sampleton, TX 78701',
      '150 Elm St / Sampleton / TX / 78701',
      '150 Elm St, Sampleton, TX, USA, 78701',
      '150 Elm St, Sampleton, TX, TX 78701',
      '150 Elm St, 78701 TX Sampleton',
      'Addr1=150 Elm St; Town=Sampleton; St=TX; Zip=78701',
      'Address: 150 Elm St Town: Sampleton State/Province: TX Postcode: 78701',
    ].map((typed) => [typed, 'no match']),
    // There is an Elm Street in many a town.
    ['150 Elm St, Unknown Springs, TX', 'no match'],
    ['150 Elm St Unknown Springs TX', 'no match'],
    ['150 Elm St, TX', '150 Elm St'],
  ])('%s', (address, expected) => {
    expect(streetOf(files(), address)).toBe(expected);
  });
});

test.each([
  ['150,E,Main,St,,Sampleton,TX,78701', '150 E Main St'],
  ['150, E Main, St, Sampleton, TX 78701', '150 E Main St'],
  ['150,Apt 4,E Main St,Sampleton,TX,78701', '150 E Main St'],
  ['Apt 4,150,E Main St,Sampleton,TX,78701', '150 E Main St'],
  ['150 Apt 4,E Main St,Sampleton,TX,78701', '150 E Main St'],
  ['150 E Main St,Sampleton,TX,78701,48453', '150 E Main St'],
  ['150 E Main St,Sampleton,TX 78701 48453', '150 E Main St'],
  ['150, E, Main St, Sampleton, TX 78701', '150 E Main St'],
  ['150 E, Main St, TX 78701', '150 E Main St'],
  ['150,,Main,St,E,Sampleton,TX,78701', '150 E Main St'],
  ['150,Main,St,,Apt 4,Sampleton,TX,78701', 'tie'],
  ['150 Main, St E, Sampleton, TX 78701', '150 E Main St'],
  ['150 East, Park City, TX 78701', '150 East Rd'],
  ['150\tE\tMain\tSt\t4\tSampleton\tTX\t78701', '150 E Main St'],
  ['150 E Main St\t\tSampleton\tTX\t78701', '150 E Main St'],
  ['00123\tJane Sample\t150 E Main St\tSampleton\tTX\t78701', '150 E Main St'],
])('a street in columns: %s is %s', (typed, expected) => {
  expect(streetOf(inTexas(['E Main St', 'W Main St', 'East Rd']), typed)).toBe(expected);
});

test.each([
  ['150 Dr. Martin Luther King, Jr. Ave, Sampleton, TX 78701', '150 Martin Luther King Jr Ave'],
  ['150 Martin Luther King, Jr. Ave NE Sampleton TX 78701', '150 Martin Luther King Jr Ave NE'],
  ['150 Martin Luther King, Jr Ave NE, TX 78701', '150 Martin Luther King Jr Ave NE'],
  ['Roe, John, Jr, 150 Main St, Sampleton, TX 78701', '150 Main St'],
])('a comma before a junior: %s', (typed, expected) => {
  const streets = ['Martin Luther King Blvd', 'Martin Luther King Jr Ave', 'Martin Luther King Jr Ave NE', 'Main St'];
  expect(streetOf(inTexas(streets), typed)).toBe(expected);
});

test.each(['Apt A', 'Unit A', ', Apt A', ', Sample Co', ' Sample Co'])(
  'what is behind the ZIP is left out: %s',
  (more) => {
    expect(streetOf(inTexas(['Main St']), `150 Main St, Sampleton, TX 78701 ${more}`)).toBe('150 Main St');
  },
);

test('a unit behind the ZIP is left out where the house number begins with a letter, too', () => {
  const files = openBlocks([{ street: 'Raleigh Trl', zip: '10001', prefix: 'P', from: 1, to: 99 }]);
  expect(streetOf(files, 'P99 Raleigh Trl, NY 10001, Apt 3')).toBe('P99 Raleigh Trl');
});

describe('another place behind that of the house', () => {
  const [own, other] = ['150 Main St, Sampleton, TX 78701', '150 Main St, Otherton, TX 75001'];
  const opened = () =>
    openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Main St'] },
      { zip: '75001', city: 'Otherton', streets: ['Main St'] },
    ]);

  test.each([
    ['the county’s code, in HL7', '150 Main St^^Sampleton^TX^78701^USA^H^^75001'],
    ['the same without country and type', '150 Main St^^Sampleton^TX^78701-0012^^^^75001'],
    ['the same without a ZIP', '150 Main St^^Sampleton^TX^^USA^H^^75001'],
    ['the same as a column', '150 Main St,Sampleton,TX,78701,US,75001'],
    ['a code without a comma', '150 Main St, Sampleton, TX 78701 acct 75001'],
    ['the place of a box', '150 Main St, Sampleton, TX 78701, mailing: PO Box 12, Otherton, TX 75001'],
    ['the place of a box, without its ZIP', '150 Main St, Sampleton, TX 78701, PO Box 12, Otherton, TX'],
    ['the place of a box, in brackets', '150 Main St, Sampleton, TX 78701 (PO Box 12, Otherton TX 75001)'],
    ['the place of a box, without commas', '150 MAIN ST SAMPLETON TX 78701 PO BOX 12 OTHERTON TX 75001'],
    ['the place of a box, then the country', '150 Main St, Sampleton, TX 78701; PO Box 12, Otherton TX 75001, USA'],
    ['an employer’s place', '150 Main St, Sampleton, Texas 78701 Work: Sample Clinic, Otherton, TX 75001'],
    ['a place that begins with a saint', '150 Main St, Sampleton, TX 78701 Work: St Otherton, TX 75001'],
    ['a town named Avenue', '150 Main St, Sampleton, TX 78701, PO Box 12, Avenue, TX 75001'],
  ])('%s: decides nothing', (_, address) => {
    expect(matchedIn(opened(), address)).toBe(own);
  });

  test.each([
    ['a number behind a title that is also a state', '150 Main St, Jane Roe MD 78701, Otherton, TX 75001', other],
    ['a box’s place before the house', 'PO Box 12, Sampleton, TX 78701, 150 Main St, Otherton, TX 75001', other],
    [
      'a house behind a title',
      'Ste 5 Jane Roe MA 01500 Main St, Otherton, TX 75001',
      '1500 Main St, Otherton, TX 75001',
    ],
    ['a second house', '150 Main St, Sampleton, TX 78701, 150 Main St, Otherton, TX 75001', 'no match'],
    [
      'a house whose number is in letters',
      'Ward 3 Clinic, Sampleton, TX 78701, One Main, Otherton, TX 75001',
      '1 Main St, Otherton, TX 75001',
    ],
    ['such a number behind a house', '150 Main St, Sampleton, TX 78701, One Source Billing, Otherton, TX 75001', own],
    ['such a second house', '150 Main, Sampleton, TX 78701, 150 Main, Otherton, TX 75001', 'no match'],
    [
      'a house behind a room, without its street’s type',
      'Ward 3, Sampleton, TX 78701, 150 Main, Otherton, TX 75001',
      other,
    ],
    ['a ZIP behind its label', '150 Main St, TX, USA, ZIP: 75001', other],
    ['a ZIP behind a kind of address, without a state', '150 Main St, USA, H, 75001', other],
    ['a ZIP behind the state again', '150 Main St, TX, USA, TX, 75001', other],
  ])('%s: is read as before', (_, address, expected) => {
    expect(matchedIn(opened(), address)).toBe(expected);
  });
});

test('Connecticut before the other place’s ZIP is no court', () => {
  const files = openZips('09', [
    { zip: '06103', city: 'Hartford', streets: ['Main St'] },
    { zip: '06037', city: 'Berlin', streets: ['Main St'] },
  ]);
  const address = '150 Main St, Hartford, CT 06103, PO Box 12, Berlin CT 06037';
  expect(matchedIn(files, address)).toBe('150 Main St, Hartford, CT 06103');
});

describe('a place before the last one, with its own state or ZIP', () => {
  const own = '150 Main St, Sampleton, TX 78701';
  const opened = () =>
    openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Main St'] },
      { zip: '78702', city: 'Mock-Sampleton', streets: ['Main St'] },
      { zip: '75001', city: 'Otherton', streets: ['Main St', 'Oak St'] },
    ]);

  test.each([
    ['the state, then a box', '150 Main St, Sampleton, TX; PO Box 12, Otherton, TX 75001'],
    ['the state without a comma', '150 Main St, Sampleton TX; PO Box 12, Otherton, TX 75001'],
    ['the state’s name', '150 Main St, Sampleton, Texas; PO Box 12, Otherton, Texas 75001'],
    ['all in one part', '150 Main St, Sampleton TX PO Box 12 Otherton TX 75001'],
    ['lines', '150 Main St\nSampleton, TX\nPO Box 12\nOtherton, TX 75001'],
    ['the ZIP', '150 Main St, Sampleton 78701; mailing PO Box 12, Otherton TX 75001'],
    ['the ZIP, of a text without a state', '150 Main St, Sampleton 78701, Otherton 75001'],
    ['a box in a town nearby', '150 Main St, Sampleton, TX; PO Box 12, Mock-Sampleton, TX 78702'],
    ['a unit before it', '150 Main St, Apt 3, Sampleton, TX; PO Box 12, Otherton, TX 75001'],
    ['an employer’s place', '150 Main St, Sampleton, TX, Employer: Sample Clinic, Otherton, TX 75001'],
    ['a name’s place', '150 Main St, Sampleton, TX, c/o Sample Clinic, Otherton, TX 75001'],
    ['another without a ZIP', '150 Main St, Sampleton, TX; PO Box 12, Otherton, TX'],
    ['a birthplace, in HL7', '150 Main St^^Sampleton^TX^^USA^P~^^Otherton^TX^75001^USA^BDL'],
    ['a box, in HL7', '150 Main St^^Sampleton^TX^^USA^H~PO Box 12^^Otherton^TX^75001^USA^M'],
    ['labels', 'Physical: 150 Main St, Sampleton, TX; Mailing: PO Box 12, Otherton, TX 75001'],
    ['no comma before it', '150 Main St Sampleton, TX; PO Box 12, Otherton, TX 75001'],
    ['no comma before it, and two others', '150 Main St Sampleton, TX; Otherton, TX; PO Box 12, Faraway, MT 59001'],
    ['a unit before it, without commas', '150 Main St Apt 3 Sampleton, TX; PO Box 12, Mock-Sampleton, TX 78702'],
    ['the same in one part', '150 Main St Apt 3 Sampleton TX; PO Box 12, Mock-Sampleton, TX 78702'],
    ['a label, without commas', '150 Main St, Sampleton TX mailing address PO Box 12 Otherton TX 75001'],
    ['a birthplace, without commas', '150 Main St, Sampleton TX birthplace Otherton TX 75001'],
    ['a former place, in brackets', '150 Main St, Sampleton, TX (formerly Mock-Sampleton, TX 78702)'],
    ['a word between', '150 Main St, Sampleton, TX and PO Box 12, Mock-Sampleton, TX 78702'],
    ['a country, twice', '150 Main St, Sampleton, TX USA; PO Box 12, Mock-Sampleton, TX 78702 USA'],
    ['a state far away', '150 Main St, Sampleton, TX; PO Box 12, Faraway, MT 59001'],
  ])('is the house’s: %s', (_, address) => {
    const montana = openZips('30', [{ zip: '59001', city: 'Faraway', streets: ['Main St'] }]);
    expect(matchedIn(addressFilesOf([...montana.shards, ...opened().shards]), address)).toBe(own);
  });

  test.each([
    [
      'a hyphen',
      '150 Main St, Mock-Sampleton, TX; PO Box 12, Otherton, TX 75001',
      '150 Main St, Mock-Sampleton, TX 78702',
    ],
    ['no such house there', '150 Oak St, Sampleton, TX; PO Box 12, Otherton, TX 75001', 'no match'],
    ['a second house', '150 Main St, Sampleton, TX 78701, 150 Main St, Otherton 75001', 'tie'],
    ['a second house without ZIPs', '150 Main St, Sampleton, TX; 150 Main St, Otherton, TX 75001', 'tie'],
  ])('is the house’s: %s', (_, address, expected) => {
    expect(matchedIn(opened(), address)).toBe(expected);
  });

  test.each([
    ['a box between street and city', '150 Main St, PO Box 12, Sampleton, TX 78701'],
    ['the same city', '150 Main St, Sampleton, TX, PO Box 12, Sampleton, TX 78701'],
    ['the same city, whose ZIP is the box’s', '150 Main St, Sampleton, TX, PO Box 12, Sampleton, TX 78799'],
    ['a title that is also a state', '150 Main St, Jane Sample, MD, Sampleton, TX 78701'],
    ['a number that looks like a ZIP', '150 Main St, acct 75001, Sampleton, TX 78701'],
    ['words of two letters', '150 Main St, El Al Sampleton, 78701'],
    ['what may be a county', '150 Main St, Faraway Co, Sampleton, TX 78701'],
  ])('is none: %s', (_, address) => {
    const colorado = openZips('08', [{ zip: '80001', city: 'Faraway', streets: ['Main St'] }]);
    expect(matchedIn(addressFilesOf([...colorado.shards, ...opened().shards]), address)).toBe(own);
  });

  test('is the same place if it uses the same ZIP', () => {
    const files = openZips('36', [
      { zip: '11385', city: 'Queens', streets: ['Main St'] },
      { zip: '11354', city: 'Queens', streets: ['Main St'] },
      { zip: '10001', city: 'New York', streets: ['Main St'] },
    ]);
    for (const place of ['Queens, New York', 'Queens, NY, New York', 'Queens NY, Ridgewood']) {
      expect(matchedIn(files, `150 Main St, ${place}, NY 11385`)).toBe('150 Main St, Queens, NY 11385');
    }
  });
});

describe('a city before the last one, without state and ZIP', () => {
  const opened = () =>
    openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Main St', 'Oak St'] },
      { zip: '78702', city: 'Nearby', streets: ['Main St'] },
      // Far enough down the map: each street of these lies 0.003° above the one before it.
      { zip: '78650', city: 'Between', streets: Array.from({ length: 120 }, (_, at) => `Lane ${at} Rd`) },
      { zip: '75001', city: 'Otherton', streets: ['Main St', 'Elm St'] },
    ]);

  test.each([
    ['a box', '150 Main St, Sampleton, PO Box 12, Otherton, TX 75001', 'tie'],
    ['a box, in one part', '150 Main St, Sampleton PO Box 12 Otherton, TX 75001', 'tie'],
    ['no ZIP', '150 Main St, Sampleton, PO Box 12, Otherton, TX', 'tie'],
    ['an employer', '150 Main St, Sampleton, Employer: Sample Clinic, Otherton, TX 75001', 'tie'],
    ['a birthplace', '150 Main St, Sampleton, birthplace Otherton TX 75001', 'tie'],
    ['nothing else', '150 Main St, Sampleton, Otherton, TX 75001', 'tie'],
    ['a typo', '150 Mian St, Sampleton, Otherton, TX 75001', 'tie'],
    ['another kind of street', '150 Main Rd, Sampleton, Otherton, TX 75001', 'tie'],
    ['labels', 'Physical: 150 Main St, Sampleton; Mailing: PO Box 12, Otherton, TX 75001', 'tie'],
    ['the house in one only', '150 Elm St, Sampleton, Otherton, TX 75001', '150 Elm St, Otherton, TX 75001'],
    ['the house in the other only', '150 Oak St, Sampleton, Otherton, TX 75001', 'no match'],
    ['a town near the ZIP', '150 Main St, Nearby, Sampleton, TX 78701', '150 Main St, Sampleton, TX 78701'],
    ['a township', '150 Main St, Sampleton Township, Otherton, TX 75001', '150 Main St, Otherton, TX 75001'],
    ['the ZIP of the other', '150 Main St, Nearby, Sampleton, TX 78702', '150 Main St, Nearby, TX 78702'],
  ])('is as likely if it is far from the ZIP: %s', (_, address, expected) => {
    expect(matchedIn(opened(), address)).toBe(expected);
  });
});

test('an address that is there twice is read, whatever its commas', () => {
  const address = '150 Main St Sampleton TX 78701, 150 Main St, Sampleton, TX 78701';
  expect(streetOf(inTexas(['Main St']), address)).toBe('150 Main St');
  const joined = '150 Main St, Sampleton, TX 78701 / 150 Main St, Sampleton, TX 78701';
  expect(streetOf(inTexas(['Main St']), joined)).toBe('150 Main St');
  const field = '150 Main St^^Sampleton^TX^78701^USA';
  expect(streetOf(inTexas(['Main St']), `${field}^H~${field}^M`)).toBe('150 Main St');
  expect(streetOf(inTexas(['Main St']), `${field}^H~12 ${field}^M`)).toBe('no match');
});

test.each([
  ['150 Main St, Sampleton, Tex.', '150 Main St'],
  ['150 Main St Sampleton Tex', '150 Main St'],
  ['Address 1: 150 Main St Address 2: Apt 4 City: Sampleton State: TX Zip: 78701', '150 Main St'],
  ['Address Line 1: 150 Main St City: Sampleton State: TX Zip: 78701', '150 Main St'],
])('states and labels as forms have them: %s', (typed, expected) => {
  expect(streetOf(inTexas(['Main St']), typed)).toBe(expected);
});

test.each(['NY, NY', 'New York City, NY', 'NYC, NY', 'N.Y., N.Y.', 'NYC'])('New York as %s', (city) => {
  const files = openZips('36', [
    { zip: '10001', city: 'New York', streets: ['W 34th St'] },
    { zip: '12020', city: 'Sampleton', streets: ['W 34th St'] },
  ]);
  expect(matchedIn(files, `200 W 34th St, ${city}`)).toBe('200 W 34th St, New York, NY 10001');
});

describe('a direction before a city', () => {
  const files = (inHartford: readonly string[] = ['Main St']) =>
    openZips('09', [
      { zip: '06103', city: 'Hartford', streets: inHartford },
      { zip: '06108', city: 'East Hartford', streets: ['Main St'] },
    ]);

  test.each([
    ['150 Main St East Hartford CT', '150 Main St, East Hartford, CT 06108'],
    ['150 main st e hartford ct', '150 Main St, East Hartford, CT 06108'],
    ['150 Main St, E. Hartford, CT', '150 Main St, East Hartford, CT 06108'],
    ['150 Main St, E Hartford, CT 06127', '150 Main St, East Hartford, CT 06108'],
    ['150 Main St Hartford CT', '150 Main St, Hartford, CT 06103'],
    ['150 Main St E, Hartford, CT', '150 Main St, Hartford, CT 06103'],
    ['150 Main St E Hartford CT 06103', '150 Main St, Hartford, CT 06103'],
  ])('is the city’s: %s', (typed, expected) => {
    expect(matchedIn(files(), typed)).toBe(expected);
  });

  test.each([
    ['150 Main St West TX', '150 Main St, West, TX 76691'],
    ['150 Main St West, TX', '150 Main St, West, TX 76691'],
    ['150 Main St, West, TX', '150 Main St, West, TX 76691'],
    ['150 Main St West TX 76701', '150 Main St W, Waco, TX 76701'],
    ['150 Main St West, Waco, TX', '150 Main St W, Waco, TX 76701'],
    ['150 Main St West Waco TX', '150 Main St W, Waco, TX 76701'],
    ['150 Oak St West TX', '150 Oak St W, Waco, TX 76701'],
  ])('may be all of it: %s', (typed, expected) => {
    const towns = openZips('48', [
      { zip: '76691', city: 'West', streets: ['Main St'] },
      { zip: '76701', city: 'Waco', streets: ['Main St W', 'Oak St W'] },
    ]);
    expect(matchedIn(towns, typed)).toBe(expected);
  });

  test('ties with a street in that direction, unless a comma tells', () => {
    const both = files(['Main St', 'Main St E']);
    expect(streetOf(both, '150 Main St East Hartford CT')).toBe('tie');
    expect(matchedIn(both, '150 Main St E, Hartford CT')).toBe('150 Main St E, Hartford, CT 06103');
    expect(matchedIn(both, '150 Main St, E Hartford CT')).toBe('150 Main St, East Hartford, CT 06108');
  });

  test('is the city where both are in one ZIP', () => {
    const west = streetsOf('48', '76691', 'West', ['Oak St', 'W Oak St', 'W Elm St']);
    for (const typed of [
      '150 Oak St West TX 76691',
      '150 Oak St West, TX 76691',
      '150 Oak St, West, Sample County, TX 76691',
    ])
      expect(streetOf(west, typed), typed).toBe('150 Oak St');
    expect(streetOf(west, '150 Oak St W, West, TX 76691')).toBe('150 W Oak St');
    expect(streetOf(west, '150 Elm St West TX 76691')).toBe('150 W Elm St');
  });

  test('is not that of a street in another city that has none', () => {
    const others = files(['Main St', 'Church St', 'Oak St E']);
    expect(streetOf(others, '150 Church St East Hartford CT')).toBe('no match');
    expect(streetOf(others, '150 Church St East Hartford CT 06108')).toBe('no match');
    expect(streetOf(others, '150 Church St E, Hartford CT')).toBe('150 Church St');
    expect(streetOf(others, '150 Oak St East Hartford CT')).toBe('150 Oak St E');
  });

  test('ties with a street in that direction where no cities are known', () => {
    const block = { zip: '10001', prefix: '', from: 1, to: 199 };
    const files = openBlocks(
      ['Main St', 'W Main St', 'Oak St', 'Oak St W', 'Elm St'].map((street) => ({ ...block, street })),
    );
    for (const end of [' NY 10001', ' NY', ', NY 10001']) {
      expect(streetOf(files, `150 Main Street West Sampleton${end}`)).toBe('tie');
      expect(streetOf(files, `150 Oak St West Sampleton${end}`)).toBe('tie');
      expect(streetOf(files, `150 Elm St West Sampleton${end}`)).toBe('150 Elm St');
    }
    expect(streetOf(files, '150 Main St West, Sampleton, NY 10001')).toBe('150 W Main St');
    expect(streetOf(files, '150 Main St, West Sampleton, NY 10001')).toBe('150 Main St');
  });
});
