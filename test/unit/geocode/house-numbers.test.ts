import { describe, expect, test } from 'vitest';
import { matchAddress } from '../../../src/geocode/match/match-address.js';
import type { Locate } from '../../../src/geocode/match/position.js';
import { parseAddress } from '../../../src/geocode/parse/parse-address.js';
import { inTexas, matchedIn, openBlocks, openZips, streetOf, streetsOf } from '../../support/made-up-streets.js';

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
  ['a thousand behind a date', '1/2/1950 1,150 Main St', '1150 Main St'],
  ['a unit before a comma behind a date', '10/12/1950 3 Apt 3,150 Main St', '150 Main St'],
  ['thousands in a range', '1,150 - 1,160 Main St', '1150 Main St'],
  ['a unit before a comma without a space', 'Apt 3,150 Main St', '150 Main St'],
  ['a highway before a comma without a space', 'Hwy 12,150 Main St', '150 Main St'],
  ['a thousand that is not there', '9,150 Main St', 'no match'],
  ['zeros before the number', '00150 Main St', '150 Main St'],
  ['a half', '12-1/2 Main St', '12 Main St'],
  ['a half as a decimal', '12.5 Main St', '12 Main St'],
  ['a half without a space', '1501/2 Main St', '150 Main St'],
  ['a half without a space, then a unit', '1501/2 Main St Apt 3', '150 Main St'],
  ['a date before a number', '11/2 150 Main St', 'no match'],
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
  ['the number behind a street that begins with its kind', 'Calle Sample 150', '150 Calle Sample'],
  ['the same abbreviated', 'Cll Sample 150', '150 Calle Sample'],
  ['a unit behind such a street', 'Calle Sample Apt 150', 'no match'],
  ['a sign behind such a street', 'Calle Sample #150', 'no match'],
  ['such a street that is numbered', 'Calle 150', 'no match'],
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
    ...['Calle Sample', 'Calle 5'],
  ]);
  expect(streetOf(files, `${typed}, Sampleton, TX 78701`)).toBe(expected);
});

test.each([
  ['#5-159', '159 Elm St'],
  ['# 5-159', '159 Elm St'],
  ['#5B-159', '159 Elm St'],
  ['#B-159', '159 Elm St'],
  ['Apt 5-159', '159 Elm St'],
  ['Unit B-159', '159 Elm St'],
  ['Jane Roe, #5-159', '159 Elm St'],
  ['#159-5', 'tie'],
  ['#150-152', '150 Elm St'],
  ['No. 150-152', '150 Elm St'],
  ['#37-18', '37-18 Elm St'],
  ['Apt 5-159 7', '7 Elm St'],
])('the number of a house behind its unit’s and a hyphen: %s', (typed, expected) => {
  const blocks = openBlocks([
    { street: 'Elm St', zip: '11372', prefix: '', from: 1, to: 9 },
    { street: 'Elm St', zip: '11372', prefix: '', from: 100, to: 199 },
    { street: 'Elm St', zip: '11372', prefix: '37-', from: 1, to: 99 },
  ]);
  expect(streetOf(blocks, `${typed} Elm St, NY 11372`)).toBe(expected);
});

test.each(['150 Main St, #4-123 Oakton', 'One Main St, Apt 4-123 Oakton'])('no house is in a unit: %s', (typed) => {
  const files = streetsOf('48', '78701', 'Oakton', ['Main St', 'Oakton Ave']);
  expect(streetOf(files, `${typed}, TX 78701`)).toBe(typed.startsWith('One') ? '1 Main St' : '150 Main St');
});

test.each(['37-18 Elm St', 'N6W23001 Elm St', '12A Elm St'])('the number of an item before %s', (street) => {
  const block = { street: 'Elm St', zip: '10001', from: 1, to: 23999 };
  const files = openBlocks(['37-', 'N6W', ''].map((prefix) => ({ ...block, prefix, to: prefix === '' ? 36 : 23999 })));
  expect(streetOf(files, `1. ${street}, NY 10001`)).toBe(street.replace('A', ''));
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
    for (const written of ['Elm St,', 'Elm St Sampleton', 'Elmm St,']) {
      expect(streetOf(blocks, `${number} ${written} NY 11372`), written).toBe(expected);
    }
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
  ['150 12 Ave N Sampleton', '150 12th Ave N'],
  ['150 12 Ave N, Sampleton', '150 12th Ave N'],
  ['150 13 Ave N Sampleton', 'no match'],
  ['150 89 N Sampleton', 'no match'],
  ['150 89 South Sampleton', 'no match'],
  ['150 13 Ter N Sampleton', 'no match'],
  ['150 14 N Lake Way Sampleton', '150 N Lake Way'],
  ['150 14 St Marks Ave Sampleton', '150 St Marks Ave'],
  ['150 14 N Main St Sampleton', '150 N Main St'],
])('the number of a street is no apartment in a street named after its direction: %s is %s', (typed, expected) => {
  const files = inTexas(['12th Ave N', 'Avenue N', 'North Ave', 'South St', 'St Marks Ave', 'N Main St', 'N Lake Way']);
  expect(streetOf(files, `${typed} TX 78701`)).toBe(expected);
});

test.each([
  ['S 150 Main St', '150 S Main St'],
  ['South 150 Main Street', '150 S Main St'],
  ['NW 150 5th Ave', '150 NW 5th Ave'],
  ['S 150 400 E', '150 S 400 E'],
  // There is no such direction: the letter may be the number's.
  ['N 150 Main St', 'no match'],
  ['N 150 County Rd G', 'no match'],
  ['N 150 Oak St', 'no match'],
  ['W 34 St', 'no match'],
])('a direction before the number is the street’s, which must have it: %s is %s', (typed, expected) => {
  const files = inTexas(['S Main St', 'NW 5th Ave', 'S 400 E', 'County Rd G', 'Oak St', 'W Oak St', 'W St']);
  for (const end of ['Sampleton, TX 78701', 'Sampleton, TX'])
    expect(streetOf(files, `${typed}, ${end}`)).toBe(expected);
});

test.each(['150 2 Hwy 360', '150_2 Hwy 360', '150 2 Fir St', '150_2 Fir St'])(
  'an apartment behind the number is no 2nd Avenue: %s',
  (typed) => {
    const files = inTexas(['2nd Ave SE', '2nd Ave']);
    expect(streetOf(files, `${typed}, Sampleton, TX 78701`)).toBe('no match');
  },
);

test.each([
  ['150 E lst St', '150 E 1st St'],
  ['150 E Ist St', '150 E 1st St'],
  ['150 E Sth St', '150 E 5th St'],
  ['150 1Oth Ave', '150 10th Ave'],
  ['150 2lst Ave', '150 21st Ave'],
  ['150 1Sth Ave', '150 15th Ave'],
  // The ending is not that of 10.
  ['150 1Ost Ave', 'no match'],
  ['150 Loth St', '150 Loth St'],
  ['150 STH 45', '150 State Hwy 45'],
  ['150 S2nd St', '150 S 2nd St'],
  ['150 1owa Trl', 'no match'],
  ['150 5tar Ave', 'no match'],
  ['150 15tth Ave', '150 15th Ave'],
])('an ordinal with digits misread as letters is neither another one nor a direction: %s is %s', (typed, expected) => {
  const files = inTexas([
    ...['E 1st St', 'E 5th St', '1st Ave', '10th Ave', '21st Ave', '15th Ave', 'East St', 'South St', 'Loth St'],
    ...['State Hwy 45', 'State Hwy 5', 'S 2nd St', '52nd St'],
  ]);
  expect(streetOf(files, `${typed}, Sampleton, TX 78701`)).toBe(expected);
});

test.each(['7B701', '7870I', '7B7Ol', '787OL'])('a ZIP of which digits were misread is no other: TX %s', (zip) => {
  const files = openZips('48', [
    { zip: '78701', city: 'Sampleton', streets: ['Holly Ln'] },
    { zip: '78702', city: 'Sampleton', streets: ['Holly Ln'] },
  ]);
  expect(matchedIn(files, `150 Holly Ln, Sampleton, TX ${zip}`)).toBe('150 Holly Ln, Sampleton, TX 78701');
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

test('an address behind a unit is another one, and not the first one’s city', () => {
  const files = openZips('48', [
    { zip: '78701', city: 'Sampleton', streets: ['Main St', 'Elm St'] },
    { zip: '78702', city: 'Exampleville', streets: ['Oak Ave'] },
  ]);
  expect(streetOf(files, '12 Main St Apt 3 150 Elm St, Sampleton, TX 78701')).toBe('tie');
  expect(streetOf(files, '12 Oak Ln Apt 3 150 Elm St, Sampleton, TX 78701')).toBe('150 Elm St');
  expect(streetOf(files, '12 Main St Apt 3 Sampleton TX')).toBe('12 Main St');
});

test('where a number may lack its hyphen on one street, or the kind be too much on another, it is a tie', () => {
  const files = openBlocks([
    { street: 'Broadway', zip: '11372', prefix: '', from: 3700, to: 3798 },
    { street: 'Broadway Ave', zip: '11372', prefix: '37-', from: 1, to: 99 },
  ]);
  expect(streetOf(files, '3718 Broadway Ave, NY 11372')).toBe('tie');
  expect(streetOf(files, '37-18 Broadway Ave, NY 11372')).toBe('37-18 Broadway Ave');
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
  ['Fifteen Main St', '15 Main St'],
  ['150 Rear Main St', '150 Main St'],
  ['RR 1 150 Main St', '150 Main St'],
  ['RR 1 Box 150', 'cannot be placed'],
])('as it is said and written: %s is %s', (typed, expected) => {
  const files = openBlocks([{ street: 'Main St', zip: '10001', prefix: '', from: 1, to: 199 }]);
  expect(streetOf(files, `${typed}, NY 10001`)).toBe(expected);
});

test.each([
  [80, true],
  [79, false],
  [219, true],
  [220, false],
])(
  'a number up to 20 outside what a street has is taken for one of the street: %d of 100 to 199, %s',
  (number, isTaken) => {
    const files = openBlocks([{ street: 'Main St', zip: '10001', prefix: '', from: 100, to: 199 }]);
    const found = matchAddress(files, () => 0, `${number} Main St, NY 10001`);
    expect(found).toMatchObject(isTaken ? { matchType: 'street' } : { noMatch: 'no match' });
  },
);

test('the number 0, which stands for an unknown one, is not taken for another, unless a street has it', () => {
  const files = openBlocks([
    { street: 'Main St', zip: '10001', prefix: '', from: 1, to: 199 },
    { street: 'Elm St', zip: '10001', prefix: '', from: 0, to: 98 },
  ]);
  expect(streetOf(files, '0 Main St, NY 10001')).toBe('no match');
  expect(streetOf(files, '0 Elm St, NY 10001')).toBe('0 Elm St');
});

test('a house lies in the tract of its side, even if that begins far from the street, or is only at its middle', () => {
  const files = openBlocks([{ street: 'Main St', zip: '10001', prefix: '', from: 100, to: 200 }]);
  const at = (locate: Locate) => {
    const found = matchAddress(files, locate, '100 Main St, NY 10001');
    if ('noMatch' in found) throw new Error(found.noMatch);
    return found;
  };
  const metres = 1 / 111_320;
  expect(Math.abs(at(({ lat }) => (Math.abs(lat - 45) > 60 * metres ? 0 : -1)).lat - 45)).toBeGreaterThan(60 * metres);
  const isMiddle: Locate = ({ lng }) => (Math.abs(lng + 75.005) < 0.001 ? 0 : -1);
  expect(at(isMiddle).lng).toBeCloseTo(-75.005, 4);
  // In none of the places tried: at the usual one.
  expect(at(() => -1)).toMatchObject({ lat: at(() => 0).lat, lng: at(() => 0).lng });
});
