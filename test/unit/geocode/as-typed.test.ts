import { describe, expect, test, vi } from 'vitest';
import { splitsOf } from '../../../src/geocode/match/splits.js';
import { ThereAsAsked } from '../../../src/geocode/match/there-as-asked.js';
import { parseAddress } from '../../../src/geocode/parse/parse-address.js';
import { matchedIn, openBlocks, openZips, streetOf, streetsOf } from '../../support/made-up-streets.js';

const inTexas = (streets: readonly string[]) => streetsOf('48', '78701', 'Sampleton', streets);

test.each([
  ['a thousand with a comma', '1,150 Main St', '1150 Main St'],
  ['the same before an ordinal', '1,098 4th Ave', '1098 4th Ave'],
  ['a thousand behind a space', ' 1,150 Main St', '1150 Main St'],
  ['a thousand in quotes', '"1,150 Main St"', '1150 Main St'],
  ['a thousand behind a name', 'Sample Clinic 1,150 Main St', '1150 Main St'],
  ['a thousand behind a label', 'Attn: 1,150 Main St', '1150 Main St'],
  ['a thousand behind a sign', 'No. 1,150 Main St', '1150 Main St'],
  ['a thousand before a tab', '1,150\tMain St', '1150 Main St'],
  ['a thousand before a space that does not break', '1,150\u00a0Main St', '1150 Main St'],
  ['a thousand with a letter', '1,150A Main St', '1150 Main St'],
  ['thousands in a range', '1,150 - 1,160 Main St', '1150 Main St'],
  ['a unit before a comma without a space', 'Apt 3,150 Main St', '150 Main St'],
  ['a highway before a comma without a space', 'Hwy 12,150 Main St', '150 Main St'],
  ['a thousand that is not there', '9,150 Main St', 'no match'],
  ['zeros before the number', '00150 Main St', '150 Main St'],
  ['a half', '12-1/2 Main St', '12 Main St'],
  ['a half as a decimal', '12.5 Main St', '12 Main St'],
  ['a range with spaces', '150 - 152 Main St', '150 Main St'],
  ['a range with a dash', '150–152 Main St', '150 Main St'],
  ['a range in words', '150 to 152 Main St', '150 Main St'],
  ['a range in other words', '150 thru 152 Main St', '150 Main St'],
  ['a range behind a name', 'Jane Sample 150 - 152 Main St', '150 Main St'],
  ['a range with spaces that do not break', '150\u00a0-\u00a0152 Main St', '150 Main St'],
  ['a range with two hyphens', '150 -- 152 Main St', '150 Main St'],
  ['a unit before a hyphen', 'Apt 3 - 150 Main St', '150 Main St'],
  ['a direction without a space', '150N Main St', '150 N Main St'],
  ['a direction without a space before one that is a name', '150SW South St', '150 SW South St'],
  ['a direction and a name without a space', '150 NMain St', '150 N Main St'],
  ['a letter of the number', '150N 4th Ave', '150 4th Ave'],
  ['an ordinal behind a hyphen', '150-4th Ave', '150 4th Ave'],
  ['an ordinal without a space', '150 4thAve', '150 4th Ave'],
  ['a kind of street twice', '150 Main Street St', '150 Main St'],
  ['a direction abbreviated', '150 No. Main St', '150 N Main St'],
  ['an ordinal with a space', '150 4 th Ave', '150 4th Ave'],
  ['a sign before a highway’s number', '150 Hwy #12', '150 Hwy 12'],
  ['a unit before the street', '150 Apt 3 Main St', '150 Main St'],
  ['a sign and a number before the street', '150 #3 Main St', '150 Main St'],
  ['a unit before the number', 'Unit 3 150 Main St', '150 Main St'],
  ['a floor before the number', '2nd Floor 150 Main St', '150 Main St'],
  ['a street within a name', '150 Elm Street Extension', '150 Elm St Ext'],
  ['an item’s number', '1. 150 Main St', '150 Main St'],
  ['an item’s number with a bracket', '12) 150 Main St', '150 Main St'],
  ['a house number with a full stop', '12. Main St', '12 Main St'],
  ['a house number with a full stop before an ordinal', '12. 4th Ave', '12 4th Ave'],
  ['a name in four parts before the number', 'Roe, Jane M., MD, Sample Clinic, 150 Main St', '150 Main St'],
  ['no space before a kind of street', '150 MainSt', '150 Main St'],
  ['no space before a kind of street and a direction', '150 OakLn W', '150 Oak Ln W'],
  ['no space before a kind of street, in capitals', '150 MAINST', '150 Main St'],
  ['no space before a kind of street and a direction, in capitals', '150 OAKLN W', '150 Oak Ln W'],
  ['no space within a highway’s name', '150 UsHwy 12', '150 Hwy 12'],
  ['a name that ends like a kind of street', '150 Forest', '150 Forest Dr'],
  ['no space before a name of two letters', '150Up River Rd', '150 Up River Rd'],
  ['two letters of the number', '150AB Main St', '150 Main St'],
  ['a sign before the number of a numbered street', '#150 3 Mile Rd', '150 3 Mile Rd'],
  ['the same with a word', 'No. 150 3 Mile Rd', '150 3 Mile Rd'],
  ['a comma before the name of a numbered street', '150, 3 Mile Rd', '150 3 Mile Rd'],
  ['a floor in one word behind one word', '150 Broadway 3Fl Sampleton', '150 Broadway'],
  ['a floor behind one word', '150 Broadway Fl 3 Sampleton', '150 Broadway'],
  ['an ordinal floor behind one word', '150 Broadway 3rd Fl Sampleton', '150 Broadway'],
  ['a room behind one word', '150 Broadway Rm 1205 Sampleton', '150 Broadway'],
  ['a lot that is a name', '150 Park Lot 3 Rd', 'no match'],
  ['a unit named by a direction', '150 Main St Apt NE', '150 Main St'],
])('%s: %s', (_, typed, expected) => {
  const files = inTexas([
    ...['Main St', 'N Main St', '4th Ave', 'Hwy 12', 'Elm St Ext', 'South St', 'SW South St', 'Oak Ln W', 'Fore St'],
    ...['Forest Dr', 'Up River Rd', '3 Mile Rd', 'Mile Rd', 'Broadway', 'Park Rd'],
  ]);
  expect(streetOf(files, `${typed}, Sampleton, TX 78701`)).toBe(expected);
});

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
  ['city and state twice', '150 Main St Sampleton TX, Sampleton, TX 78701'],
  ['a ZIP that lost a figure', '150 Main St, Sampleton, TX 7870'],
  ['a ZIP with a figure too many', '150 Main St, Sampleton, TX 787011'],
  ['the number behind the street', 'Main St 150, Sampleton, TX 78701'],
  ['a form’s labels', 'Street: 150 Main St City: Sampleton State: TX Zip: 78701'],
  ['a line break of a page', '150 Main St<br>Sampleton, TX&nbsp;78701'],
  ['the corner that it is at', '150 Main St at corner of Oak Ave, Sampleton, TX 78701'],
  ['the corner, with an article', '150 Main St on the corner of Oak Ave, Sampleton, TX 78701'],
  ['the streets that it is between', '150 Main St btwn Oak Ave and Elm St, Sampleton, TX 78701'],
  ['a county abbreviated', '150 Main St, Sampleton, Travis Co., TX'],
  ['no space behind the number', '150Main St, Sampleton, TX 78701'],
  ['a hyphen behind the number', '150-Main St, Sampleton, TX 78701'],
  ['a space that went through HTML', '150&nbsp;Main St, Sampleton, TX 78701'],
  ['a line break as text', '150 Main St\\nSampleton, TX 78701'],
  ['a line break as text, of Windows', '150 Main St\\r\\nSampleton, TX 78701'],
  ['a line break of HL7', '150 Main St\\.br\\Sampleton, TX 78701'],
  ['elements', '<line>150 Main St</line><city>Sampleton</city><state>TX</state><zip>78701</zip>'],
  ['an object', '{"line":["150 Main St"],"city":"Sampleton","state":"TX","postalCode":"78701"}'],
  ['names and values', 'Line1=150 Main St;Line2=;City=Sampleton;State=TX;Zip_Code=78701'],
  ['characters by number', '150&#32;Main St&#44; Sampleton&#44; TX&#160;78701'],
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
  ['150 Lake St, NE, Sampleton, TX 78701', '150 Lake St NE'],
  ['150 Lake St, N.E., Sampleton, TX 78701', '150 Lake St NE'],
  ['150 Lake St North East, Sampleton, TX 78701', '150 Lake St NE'],
  ['150 Lake St N-E, Sampleton, TX 78701', '150 Lake St NE'],
  ['150 South West Temple, Sampleton, TX 78701', '150 S West Temple'],
  ['150 N West St, Sampleton, TX 78701', '150 N West St'],
])('a direction set apart, or in two words, is the street’s: %s', (address, expected) => {
  expect(streetOf(inTexas(['Lake St', 'Lake St NE', 'S West Temple', 'N West St']), address)).toBe(expected);
});

test.each([
  ['150 Mai nSt', '150 Main St'],
  ['150 MAIN BLVDN', 'no match'],
  ['150 OAKB LVD', '150 Oak Blvd'],
  ['150 MAINS T', '150 Main St'],
  ['150 ELMS T W', '150 Elm St W'],
  ['150 ELM ST', 'tie'],
  ['150 AVENUE D', '150 Avenue D'],
  ['150 STMARYS PL', '150 St Marys Pl'],
  ['150 StMarysPl', '150 St Marys Pl'],
  ['150 N MtVernon Rd', '150 N Mt Vernon Rd'],
  ['150 FTSAMPLE', '150 Fort Sample Ave'],
  ['150 STANLEY ST', '150 Stanley St'],
  ['150 STELLA ST', 'no match'],
])('a space in the wrong place: %s', (typed, expected) => {
  const files = inTexas([
    ...['Main St', 'Oak Blvd', 'Elm St W', 'Elm St E', 'Avenue D', 'Avenue Ed', 'St Marys Pl', 'N Mt Vernon Rd'],
    ...['Fort Sample Ave', 'Stanley St'],
  ]);
  for (const end of [', Sampleton, TX 78701', ' TX 78701']) expect(streetOf(files, typed + end)).toBe(expected);
});

describe('words in mixed case without a space between them', () => {
  test.each([
    ['150 MainStW', '150 W Main St'],
    ['150 Main StW', '150 W Main St'],
    ['150 Main StreetWest', '150 W Main St'],
    ['150 4thStNE', '150 4th St NE'],
    ['150 NE4thSt', '150 4th St NE'],
    ['150 SWOak Ln', '150 SW Oak Ln'],
    ['150 SWOakLn', '150 SW Oak Ln'],
    ['150 JSt', '150 J St'],
    ['150 ESt', '150 E St'],
    ['150 McWay', '150 McWay Rd'],
    ['150 McWayRd', '150 McWay Rd'],
    ['150 DeForest', '150 DeForest Ave'],
    ['150 DeForestAve', '150 DeForest Ave'],
    ['150 WaySide Dr', '150 Wayside Dr'],
    ['150 N WaySide Dr', '150 Wayside Dr'],
    ['150 PathFinder Dr', '150 Pathfinder Dr'],
    ['150 LaSalleSt', '150 LaSalle St'],
    ['150 O’FallonRd', '150 O’Fallon Rd'],
    ['150 Main StSampleton', 'tie'],
  ])('%s: %s', (typed, expected) => {
    const files = inTexas([
      ...['W Main St', 'E Main St', '4th St NE', '4th St NW', 'SW Oak Ln', 'NE Oak Ln', 'J St', 'E St', 'McWay Rd'],
      ...['DeForest Ave', 'Wayside Dr', 'Pathfinder Dr', 'LaSalle St', 'O’Fallon Rd'],
    ]);
    expect(streetOf(files, `${typed}, Sampleton, TX 78701`)).toBe(expected);
  });

  test.each([
    '150 Main StSampleton, TX 78701',
    '150 Main StSampleton TX',
    '150 Main StreetSampleton, TX',
    '150 Main StApt 3, Sampleton, TX',
    '150 Main StSuite 300, Sampleton, TX',
    '150 Main StEast Sampleton TX',
  ])('where a line’s end was lost: %s', (address) => {
    const files = openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Main St', 'Main Ave'] },
      { zip: '78702', city: 'East Sampleton', streets: ['Main St', 'Main Ave'] },
    ]);
    expect(streetOf(files, address)).toBe('150 Main St');
  });

  test('or was lost in capitals, where only one street has the name', () => {
    const files = inTexas(['Main St', 'Oak Ave', 'Oak Ln']);
    expect(streetOf(files, '150 MAIN STSAMPLETON, TX 78701')).toBe('150 Main St');
    expect(streetOf(files, '150 MAIN STSAMPLETON TX 78701')).toBe('150 Main St');
    expect(streetOf(files, '150 OAK AVESAMPLETON TX 78701')).toBe('tie');
    expect(streetOf(files, '150 MAIN STELSEWHERE TX 78701')).toBe('no match');
  });

  test('and a direction before it', () => {
    const files = inTexas(['4th Ave SE', '4th Ave NE']);
    expect(streetOf(files, '150 4th Ave SESampleton, TX 78701')).toBe('150 4th Ave SE');
    expect(streetOf(files, '150 4th AveSESampleton, TX 78701')).toBe('150 4th Ave SE');
  });
});

test.each([
  ['150 Main St^^Sampleton^TX^78701^USA^H', '150 Main St'],
  ['150 Main St^APT 2^Sampleton^TX^78701^^HOME', '150 Main St'],
  ['150 Main St, Sampleton, TX, 78701, USA, Home', '150 Main St'],
  ['Sampleton, TX 78701, 150 Main St', '150 Main St'],
  ['Sampleton TX 78701-0000\n150 Main St Apt 3', '150 Main St'],
  ['Sampleton, TX, 78701, 150 Elm Ct', '150 Elm Ct'],
  ['Jane Sample, MD 12345, 150 Main St, Sampleton, TX', '150 Main St'],
  ['Jane Sample, MD, 12345 Main St', 'no match'],
])('fields in the order of an export: %s', (address, expected) => {
  expect(streetOf(inTexas(['Main St', 'Elm Ct']), address)).toBe(expected);
});

test('a place before the street is not in Connecticut because the street is a court', () => {
  const files = openZips('09', [{ zip: '06001', city: 'Exampleville', streets: ['Elm Ct', 'Elm St'] }]);
  expect(streetOf(files, 'Sampleton, TX 78701, 150 Elm Ct')).toBe('not loaded');
  expect(streetOf(files, 'Exampleville, CT 06001, 150 Elm Ct')).toBe('150 Elm Ct');
  expect(streetOf(files, '78701, Sampleton, TX, 150 Elm Ct')).toBe('not loaded');
  expect(streetOf(files, 'Sampleton, TX, 150 Elm Ct')).toBe('no match');
  expect(streetOf(files, 'CT, Exampleville, 06001, 150 Elm Ct')).toBe('150 Elm Ct');
  expect(streetOf(files, '06001, Exampleville, CT, 150 Elm Ct')).toBe('150 Elm Ct');
  expect(streetOf(files, '150 Elm Ct Exampleville CT')).toBe('150 Elm Ct');
});

test.each(['37-18 Elm St', 'N6W23001 Elm St', '12A Elm St'])('the number of an item before %s', (street) => {
  const block = { street: 'Elm St', zip: '10001', from: 1, to: 23999 };
  const files = openBlocks(['37-', 'N6W', ''].map((prefix) => ({ ...block, prefix, to: prefix === '' ? 36 : 23999 })));
  expect(streetOf(files, `1. ${street}, NY 10001`)).toBe(street.replace('A', ''));
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

describe('of two numbers in an address', () => {
  const files = () => inTexas(['Market St', 'Tremont St', 'Elm St']);

  test.each([
    ['200 Market Plaza, 750 Tremont St', '750 Tremont St'],
    ['24 Hour Gym, 750 Tremont St', '750 Tremont St'],
    ['200 Market St, 750 Tremont St', 'tie'],
    ['200 Market St, 7 Building', '200 Market St'],
  ])('the first may be a building’s name: %s', (typed, expected) => {
    expect(streetOf(files(), `${typed}, Sampleton, TX 78701`)).toBe(expected);
  });

  test.each([
    ['5-159', 'tie'],
    ['5/159', 'tie'],
    ['5-259', '5 Elm St'],
    ['250-159', 'no match'],
    ['12-114', 'tie'],
    ['98-102', '98 Elm St'],
    ['159-5', '159 Elm St'],
  ])('either may be the house’s, where they are no range: %s', (number, expected) => {
    const blocks = openBlocks([
      { street: 'Elm St', zip: '11372', prefix: '', from: 1, to: 99 },
      { street: 'Elm St', zip: '11372', prefix: '', from: 100, to: 199 },
    ]);
    expect(streetOf(blocks, `${number} Elm St, NY 11372`)).toBe(expected);
  });
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
    // There is an Elm Street in many a town.
    ['150 Elm St, Unknown Springs, TX', 'no match'],
    ['150 Elm St Unknown Springs TX', 'no match'],
    ['150 Elm St, TX', '150 Elm St'],
  ])('%s', (address, expected) => {
    expect(streetOf(files(), address)).toBe(expected);
  });
});

test.each([
  ['100, 300 Main St', 'tie'],
  ['100; 300 Main St', 'tie'],
  ['8, 300 Main St', '300 Main St'],
  ['300, Main St', '300 Main St'],
  ['100 & 300 Main St', 'tie'],
  ['300 and 100 Main St', 'tie'],
  ['100 / 300 Main St', 'tie'],
  ['100 & 102 Main St', '100 Main St'],
  ['8 & 300 Main St', '300 Main St'],
  ['100 Main St & 300 Main St', 'tie'],
  ['100 Main St / 500 Oak St', 'tie'],
  ['100 Main St & 8 Mile Rd', '100 Main St'],
  ['100 Main St & Oak St', '100 Main St'],
])(
  'where two houses are written, neither is likelier meant, unless there is only one of them: %s is %s',
  (typed, expected) => {
    const blocks = [
      { street: 'Main St', from: 99, to: 199 },
      { street: 'Main St', from: 299, to: 399 },
      { street: 'Oak St', from: 499, to: 599 },
    ];
    const files = openBlocks(blocks.map((block) => ({ ...block, zip: '11372', prefix: '' })));
    expect(streetOf(files, `${typed}, NY 11372`)).toBe(expected);
  },
);

test.each([
  ['200 Elm St, apt 3, moved to 150 Main St', 'tie'],
  ['200 Elm St apt 3, moved to 150 Main St', 'tie'],
  ['formerly 200 Elm St, now 150 Main St', 'no match'],
  ['mail: 200 Elm St, home: 150 Main St', 'no match'],
  ['Jane Sample 200 Elm St, Bldg 5 North', '200 Elm St'],
  ['200 Elm St, Bldg 5 North', '200 Elm St'],
])('of two addresses with words before them none is likelier meant: %s is %s', (typed, expected) => {
  expect(streetOf(inTexas(['Elm St', 'Main St']), `${typed}, Sampleton, TX 78701`)).toBe(expected);
});

test.each([
  ['150-E Main St', ['Main St', 'E Main St'], 'tie'],
  ['150-NE Main St', ['Main St', 'NE Main St'], 'tie'],
  ['150-E Main St', ['Main St', 'W Main St'], '150 Main St'],
  ['150-E Main St', ['E Main St', 'W Main St'], '150 E Main St'],
  ['150-A Main St', ['Main St', 'A St'], '150 Main St'],
])(
  'a letter behind a hyphen may be a direction or a part of the house: of %s and %j it is %s',
  (typed, streets, expected) => {
    expect(streetOf(inTexas(streets), `${typed}, Sampleton, TX 78701`)).toBe(expected);
  },
);

test.each([
  ['State 12A', ['State Hwy 12A'], '150 State Hwy 12A'],
  ['State 12', ['State Hwy 12'], '150 State Hwy 12'],
  ['State 12A', ['State St'], '150 State St'],
  ['State 12A', ['State St', 'State Hwy 12A'], 'tie'],
  ['State 12', ['State Hwy 14'], 'no match'],
])('a number behind a state may be its highway’s: 150 %s, where there are %j, is %s', (typed, streets, expected) => {
  expect(streetOf(inTexas(streets), `150 ${typed}, Sampleton, TX 78701`)).toBe(expected);
});

test.each([
  ['US Hwy 12E', ['US Hwy 12 E'], '150 US Hwy 12 E'],
  ['US 12E', ['US Hwy 12 E', 'US Hwy 12 W'], '150 US Hwy 12 E'],
  ['Hwy 12-E', ['US Hwy 12 E'], '150 US Hwy 12 E'],
  ['SR 9N', ['State Hwy 9'], '150 State Hwy 9'],
  ['SR 9N', ['State Hwy 9', 'State Hwy 9N'], '150 State Hwy 9N'],
  ['SR 12A', ['State Hwy 12'], 'no match'],
])('a direction right behind a highway’s number: 150 %s, where there are %j, is %s', (typed, streets, expected) => {
  expect(streetOf(inTexas(streets), `150 ${typed}, Sampleton, TX 78701`)).toBe(expected);
});

test.each(['State Hwy 9N', 'Hwy 9N'])(
  'a highway that the state has as %s is not the one without its letter',
  (there) => {
    const blocks = [
      { street: 'State Hwy 9', from: 100, to: 199 },
      { street: there, from: 500, to: 599 },
    ];
    const files = openBlocks(blocks.map((block) => ({ ...block, zip: '10001', prefix: '' })));
    expect(streetOf(files, '150 SR 9N, NY 10001')).toBe('no match');
    expect(streetOf(files, '550 SR 9N, NY 10001')).toBe(`550 ${there}`);
  },
);

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

test.each([
  ['N112W16234 Mequon Rd', 'N112W16234 Mequon Rd'],
  ['N112 W16234 Mequon Rd', 'N112W16234 Mequon Rd'],
  ['N112-W16234 Mequon Rd', 'N112W16234 Mequon Rd'],
  ['N112 W 16234 Mequon Rd', 'N112W16234 Mequon Rd'],
  ['24W 500 Maple Ave', '24W500 Maple Ave'],
  ['24 W 500 Maple Ave', '24W500 Maple Ave'],
  ['24 W500 Maple Ave', '24W500 Maple Ave'],
  ['24 W 500 S', '24 W 500 S'],
  ['37 18 75th St', '37-18 75th St'],
  ['94 123 Waipahu St', '94-123 Waipahu St'],
  ['94123 Waipahu St', '94-123 Waipahu St'],
  ['94012 Waipahu St', 'no match'],
  ['12 15 Mile Rd', '12 15 Mile Rd'],
  ['12 14 Mile Rd', 'no match'],
  // Where no house has such a number, what is behind the first is something else.
  ['37 18 Main St', '37 Main St'],
  ['24 W 500 Main St', 'no match'],
])('a house number of a grid in pieces: %s is %s', (typed, expected) => {
  const files = openBlocks(
    [
      { street: 'Mequon Rd', prefix: 'N112W', from: 16_000, to: 16_999 },
      { street: 'Maple Ave', prefix: '24W', from: 400, to: 600 },
      { street: '75th St', prefix: '37-', from: 1, to: 99 },
      { street: 'Waipahu St', prefix: '94-', from: 100, to: 199 },
      { street: 'W 500 S', prefix: '', from: 1, to: 99 },
      { street: 'Main St', prefix: '', from: 1, to: 199 },
      { street: 'Mile Rd', prefix: '', from: 1, to: 199 },
      { street: '15 Mile Rd', prefix: '', from: 1, to: 199 },
    ].map((block) => ({ ...block, zip: '10001' })),
  );
  expect(streetOf(files, `${typed}, NY 10001`)).toBe(expected);
});

test.each([
  ['2O7 Holly Ln, Sampleton, TX 78701', '207 Holly Ln'],
  ['2l6 Holly Ln, Sampleton, TX 78701', '216 Holly Ln'],
  ['I50 Holly Ln, Sampleton, TX 78701', '150 Holly Ln'],
  ['l50 Holly Ln, Sampleton, TX 78701', '150 Holly Ln'],
  ['150 Holly Ln, Sampleton, TX 787O1', '150 Holly Ln'],
  ['150 Holly Ln, Sampleton, TX 7870l', '150 Holly Ln'],
  ['150 H0lly Ln, Sampleton, TX 78701', '150 Holly Ln'],
  ['150 Ho1ly Ln, 5ampleton, TX 78701', '150 Holly Ln'],
  ['150 0ak St, Sampleton, TX 78701', '150 Oak St'],
  ['150 Har6or Dr, Sampl3ton, TX 78701', '150 Harbor Dr'],
  ['150 Pr1nce Dr, Sampleton, TX 78701', '150 Prince Dr'],
  ['150 8rewer Rd, Sampleton, TX 78701', '150 Brewer Rd'],
  ['150 Brad5haw Rd, Sampleton, TX 78701', '150 Bradshaw Rd'],
  ['150 Bradf0rd Rd, Sampleton, TX 78701', '150 Bradford Rd'],
  ['150 Cany0n Rd, Sampleton, TX 78701', '150 Canyon Rd'],
  ['150 5thAve, Sampleton, TX 78701', '150 5th Ave'],
  ['150 Oak St Apt4BC, Sampleton, TX 78701', '150 Oak St'],
  ['150 Oak5th St, Sampleton, TX 78701', 'no match'],
  ['I35 Service Rd, Sampleton, TX 78701', 'no match'],
  ['150 FM1960, Sampleton, TX 78701', '150 FM 1960'],
])('digits misread as letters, and letters as digits: %s is %s', (typed, expected) => {
  const files = inTexas([
    'Holly Ln',
    'Oak St',
    'Harbor Dr',
    'Prince Dr',
    'Service Rd',
    'FM 1960',
    'Brewer Rd',
    'Bradshaw Rd',
    'Bradford Rd',
    'Canyon Rd',
    '5th Ave',
  ]);
  expect(streetOf(files, typed)).toBe(expected);
});

test('a letter before a house number stays one where a house has it', () => {
  const files = openBlocks([
    { street: 'Holly Cir', zip: '10001', prefix: 'LO', from: 0, to: 9 },
    { street: 'Holly Ln', zip: '10001', prefix: '', from: 100, to: 199 },
  ]);
  expect(streetOf(files, 'LO0 Holly, NY 10001')).toBe('LO0 Holly Cir');
  expect(streetOf(files, 'L05 Holly Ln, NY 10001')).toBe('105 Holly Ln');
});

test.each([
  ['150 So. 4th St', '150 S 4th St'],
  ['150 No. 4th St', '150 N 4th St'],
  ['150 So. 200 West', '150 S 200 W'],
  ['150 No. 200 W', '150 N 200 W'],
  ['150 So. A St', '150 S A St'],
  ['150 Elm St No. 4', '150 Elm St'],
  ['150 Elm St No. B', '150 Elm St'],
])('a direction of two letters before figures or a letter: %s is %s', (typed, expected) => {
  const files = inTexas(['S 4th St', 'N 4th St', 'S 200 W', 'N 200 W', 'S A St', 'Elm St']);
  expect(streetOf(files, `${typed}, Sampleton, TX 78701`)).toBe(expected);
});

test.each([
  ['150 Ea. Main St', '150 E Main St'],
  ['150 We. Main St', '150 W Main St'],
  ['150 Nth Main St', '150 N Main St'],
  ['150 Sth Main St', '150 S Main St'],
  ['150 Esat Main St', '150 E Main St'],
  ['150 Main St Wset', '150 W Main St'],
  ['150 Norht Main St', '150 N Main St'],
  ['150 Sth 135', '150 State Hwy 135'],
  ['150 Sth 4th St', '150 S 4th St'],
  ['150 We Go Trl', '150 We Go Trl'],
])('a direction abbreviated as nobody else does, or with a slip: %s is %s', (typed, expected) => {
  const streets = ['N Main St', 'S Main St', 'E Main St', 'W Main St', 'State Hwy 135', 'S 4th St', 'We Go Trl'];
  expect(streetOf(inTexas(streets), `${typed}, Sampleton, TX 78701`)).toBe(expected);
});

test.each([
  ['150 1-st Ave', '150 1st Ave'],
  ['150 4-TH St', '150 4th St'],
  ['150-4th St', '150 4th St'],
])('an ordinal’s ending behind a hyphen: %s is %s', (typed, expected) => {
  expect(streetOf(inTexas(['1st Ave', '4th St']), `${typed}, Sampleton, TX 78701`)).toBe(expected);
});

test('an address behind a unit is another one, and not the first one’s city', () => {
  const files = openZips('48', [
    { zip: '78701', city: 'Sampleton', streets: ['Main St', 'Elm St'] },
    { zip: '78702', city: 'Exampleville', streets: ['Oak Ave'] },
  ]);
  expect(streetOf(files, '12 Main St Apt 3 150 Elm St, Sampleton, TX 78701')).toBe('tie');
  expect(streetOf(files, '12 Oak Ln Apt 3 150 Elm St, Sampleton, TX 78701')).toBe('150 Elm St');
  expect(streetOf(files, '12 Main St Apt 3 Sampleton TX')).toBe('12 Main St');
});

test('an address that is there twice is read, whatever its commas', () => {
  const address = '150 Main St Sampleton TX 78701, 150 Main St, Sampleton, TX 78701';
  expect(streetOf(inTexas(['Main St']), address)).toBe('150 Main St');
  const joined = '150 Main St, Sampleton, TX 78701 / 150 Main St, Sampleton, TX 78701';
  expect(streetOf(inTexas(['Main St']), joined)).toBe('150 Main St');
});

test.each([
  ['150 N River Circel W', 'no match'],
  ['150 N River Circel E', '150 N River Cir E'],
  ['150 N River Cirx W', 'no match'],
])('a direction behind what cannot be read is the street’s: %s is %s', (typed, expected) => {
  expect(streetOf(inTexas(['N River Cir E']), `${typed}, Sampleton, TX 78701`)).toBe(expected);
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

  test('ties with a street in that direction, unless a comma tells', () => {
    const both = files(['Main St', 'Main St E']);
    expect(streetOf(both, '150 Main St East Hartford CT')).toBe('tie');
    expect(matchedIn(both, '150 Main St E, Hartford CT')).toBe('150 Main St E, Hartford, CT 06103');
    expect(matchedIn(both, '150 Main St, E Hartford CT')).toBe('150 Main St, East Hartford, CT 06108');
  });
});

test('a space decides between two streets of one ZIP, and not where none is known', () => {
  const streetsIn = (zip: string) =>
    openBlocks(['Stud Horse Rd', 'Studhorse Rd'].map((street) => ({ street, zip, prefix: '', from: 1, to: 99 })));
  expect(streetOf(streetsIn('11372'), '12 Studhorse Rd, NY')).toBe('12 Studhorse Rd');
  expect(streetOf(streetsIn(''), '12 Studhorse Rd, NY')).toBe('tie');
});

test('in Queens a number without its hyphen is looked for before the neighbours', () => {
  const files = openBlocks([
    { street: '75th St', zip: '11372', prefix: '37-', from: 1, to: 99 },
    { street: '75th St', zip: '11226', prefix: '', from: 3001, to: 3999 },
  ]);
  expect(streetOf(files, '3718 75th St, NY 11372')).toBe('37-18 75th St');
  expect(streetOf(files, '3718 75th St, NY 11226')).toBe('3718 75th St');
});

test('what is in front of a ZIP that a house’s number looks like stays', () => {
  const parsed = parseAddress('Jane Sample MD 12345 Main St');
  if (parsed.kind !== 'nothing') return expect.fail(parsed.kind);
  expect(parsed.otherwise()).toMatchObject([{ number: { value: 12345 } }]);
});

test.each([
  ['N 1234 County Rd G', 'N', 1234, 'County Rd G'],
  ['W. 1234 State Rd 67', 'W', 1234, 'State Hwy 67'],
  ['N 1234 Elm Drive', 'N', 1234, 'Elm Dr'],
  ['N 88 W 16500 Main St', 'N88W', 16500, 'Main St'],
  ['N 88 W16500 Main St', 'N88W', 16500, 'Main St'],
  ['N1234 Cty G', 'N', 1234, 'County Rd G'],
])('a number of a grid in pieces: %s', (typed, prefix, number, street) => {
  const files = openBlocks([{ street, zip: '10001', prefix, from: number - 34, to: number + 65 }]);
  expect(streetOf(files, `${typed}, NY 10001`)).toBe(`${prefix}${number} ${street}`);
  expect(streetOf(files, `${typed.replace(/\d+ /, '9999999 ')}, NY 10001`)).toBe('no match');
});

test.each([
  'Broadway Fl 12',
  'Broadway 12th Floor',
  'Broadway 3rd Fl',
  'Broadway 12FL',
  'Broadway Rm 1201',
  'Broadway 3B',
  'Broadway Lot 12',
])('a part of a building right behind a street of one word: %s', (typed) => {
  const block = { zip: '10001', prefix: '', from: 1, to: 199 };
  const files = openBlocks([{ ...block, street: 'Broadway' }]);
  expect(streetOf(files, `100 ${typed}, New York, NY 10001`)).toBe('100 Broadway');
  expect(streetOf(files, `100 ${typed.replace('Broadway', 'Elm')}, New York, NY 10001`)).toBe('no match');
});

test.each([
  ['Fifteen Main St', '15 Main St'],
  ['150 Rear Main St', '150 Main St'],
  ['RR 1 150 Main St', '150 Main St'],
  ['RR 1 Box 150', 'cannot be placed'],
])('as it is said and written: %s is %s', (typed, expected) => {
  const files = openBlocks([{ street: 'Main St', zip: '10001', prefix: '', from: 1, to: 199 }]);
  expect(streetOf(files, `${typed}, NY 10001`)).toBe(expected);
});

test.each([
  ['150 Columbia Pike', 'Columbia Tpke'],
  ['150 Hudson Cove', 'Hudson Ct'],
  ['150 Deer Trace', 'Deer Trl'],
  ['150 Sunset Plaza', 'Sunset Pl'],
  ['150 Old FM2410', 'Old FM 2410'],
  ['150 Alt US19', 'Alt US 19'],
  ['150 Edenton Road', 'Edenton Road St'],
  ['150 Rear Guard Rd', 'Rear Guard Rd'],
  ['150 Uppr Mountain Rd', 'Upper Mountain Rd'],
  ['150 PH 4 Sample Rd', 'Sample Rd'],
  ['150 US 1 Old Saybrook', 'US Hwy 1'],
  ['150 Twenty First St', '21st St'],
])('is still found: %s', (typed, street) => {
  const files = openBlocks(
    [street, 'Mountain Rd', 'Guard Rd', '1st St', 'Route Rd', 'Highway Ave'].map((name) => ({
      ...{ street: name, zip: '10001', prefix: '', from: 1, to: 199 },
    })),
  );
  expect(streetOf(files, `${typed} NY 10001`)).toBe(`150 ${street}`);
});

test.each(['150 Twenty First St', '150 Highway 9W', '150 Route 9W'])('%s is no other street', (typed) => {
  const files = openBlocks(
    ['1st St', 'Route Rd', 'Highway Ave'].map((street) => ({ street, zip: '10001', prefix: '', from: 1, to: 199 })),
  );
  expect(streetOf(files, `${typed}, NY 10001`)).toBe('no match');
  expect(streetOf(files, 'Twenty First St, NY 10001')).toBe('no match');
});

test('a city’s ZIPs are looked at once for a street, however many streets of its name there are', () => {
  const streets = ['N 1st St', 'S 1st St', 'E 1st St'];
  const files = openZips('48', [
    { zip: '75201', city: 'Bigcity', streets },
    { zip: '75202', city: 'Bigcity', streets },
  ]);
  const [shard] = files.shards;
  const reading = { words: ['W', '1ST', 'ST'], zip: 75_201, city: ['BIGCITY'] };
  const [split] = shard ? [...splitsOf(reading, shard)] : [];
  if (!shard || !split) expect.fail('one file was written, and one street is written');
  const zips = vi.spyOn(split.city, 'zips');
  const there = new ThereAsAsked({ shard, zip: 75_201, split, street: split.street }, shard.findName('1'));
  for (const zip of [75_201, 75_202, 75_201, 75_202]) expect(there.nearZip(zip)).toBe(false);
  expect(zips).toHaveBeenCalledOnce();
});
