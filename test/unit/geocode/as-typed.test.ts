import { describe, expect, test, vi } from 'vitest';
import { splitsOf } from '../../../src/geocode/match/splits.js';
import { ThereAsAsked } from '../../../src/geocode/match/there-as-asked.js';
import { inTexas, matchedIn, openBlocks, openZips, streetOf } from '../../support/made-up-streets.js';

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

test.each([
  ['150 M St., N.W. Sampleton, TX 78701', '150 M St NW'],
  ['150 M St, SW Sampleton, TX', '150 M St SW'],
  ['150 M St Apt 3, SW Sampleton, TX', '150 M St SW'],
  ['150 Main St, NE Harbor, TX 78702', '150 Main St'],
  ['150 Main St, NE Harbor, TX', '150 Main St'],
])('a direction before the city is the street’s, unless it is the city’s: %s', (address, expected) => {
  const files = openZips('48', [
    { zip: '78701', city: 'Sampleton', streets: ['M St NW', 'M St SW', 'Main St NE'] },
    { zip: '78702', city: 'Northeast Harbor', streets: ['Main St', 'M St NE'] },
  ]);
  expect(streetOf(files, address)).toBe(expected);
});

test.each(['Suite 200', 'Apt. 3B', '#3', '# 3', '2nd Floor', 'Unit A'])(
  'a unit before the city, without a comma between them, is not part of its name: %s',
  (unit) => {
    const files = openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Main St'] },
      { zip: '78801', city: 'Elsewhere', streets: ['Main St'] },
    ]);
    for (const end of ['Sampleton, TX', 'Sampleton, TX 78701']) {
      expect(matchedIn(files, `150 Main St, ${unit} ${end}`)).toBe('150 Main St, Sampleton, TX 78701');
    }
  },
);

test.each(['Apt 5', 'Apt # 5', 'Unit #4', 'Lot #3', '# 5', 'Bldg C Apt 4', 'Bldg # 2 Apt # 4'])(
  'units between the number and the street are no street: %s',
  (unit) => {
    const files = inTexas(['Main St', 'Unit Ln', 'Lot Ln', 'Unit 5 Rd']);
    expect(streetOf(files, `150 ${unit} Main St, Sampleton, TX 78701`)).toBe('150 Main St');
    expect(streetOf(files, '150 Unit 5 Rd, Sampleton, TX 78701')).toBe('150 Unit 5 Rd');
  },
);

test.each(['Apt 5 C', 'Unit 12 N', 'Unit 1 East', 'Rm 12 Bed A', '1st Floor Left', 'Apt 2 Fl', 'Apt # 5 C'])(
  'the rest of a unit is not the city where a comma sets one apart: %s',
  (unit) => {
    const files = openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Main St', 'M St NE', 'M St NW'] },
      { zip: '78801', city: 'West', streets: ['Main St'] },
    ]);
    expect(matchedIn(files, `150 Main St ${unit}, Sampleton, TX`)).toBe('150 Main St, Sampleton, TX 78701');
    expect(matchedIn(files, '150 Main St Apt 3 West, TX')).toBe('150 Main St, West, TX 78801');
    expect(matchedIn(files, '150 M St Apt 3 NW, Sampleton, TX')).toBe('150 M St NW, Sampleton, TX 78701');
  },
);

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
  ['150 Lake (Front) Dr', '150 Lake Front Dr'],
  ['150 Main St (West)', '150 Main St W'],
  ['150 Main (Street)', 'tie'],
])('brackets around a part of a name: %s is %s', (typed, expected) => {
  const files = inTexas(['Lake Front Dr', 'Main St W', 'Main St E']);
  expect(streetOf(files, `${typed}, Sampleton, TX 78701`)).toBe(expected);
});

test.each([
  ['150 N N Oak St', '150 N Oak St'],
  ['150 N North Oak St Sampleton', '150 N Oak St'],
  ['150 Main Main St', '150 Main St'],
  ['150 150 Main St', '150 Main St'],
  ['150 Walla Walla Ave', '150 Walla Walla Ave'],
  ['150 Oak Oak St', '150 N Oak St'],
  ['150 150 Oaks Dr', '150 150 Oaks Dr'],
  ['12 12 Mile Rd', 'no match'],
  ['1615 1615 Court Ave', '1615 Court Ave'],
  ['150 150 Broadway', '150 Broadway'],
])('what is there twice, as where columns were joined: %s is %s', (typed, expected) => {
  const files = inTexas([
    ...['N Oak St', 'Main St', 'Walla Walla Ave', 'Walla Ave', '150 Oaks Dr', 'Mile Rd', 'Court Ave', 'Broadway'],
  ]);
  expect(streetOf(files, `${typed}, TX 78701`)).toBe(expected);
});

test('a name that is there with a word twice is none with the word once, though it lacks the number', () => {
  const files = openBlocks([
    { street: 'Walla Walla Ave', zip: '10001', prefix: '', from: 1, to: 99 },
    { street: 'Walla Ave', zip: '10001', prefix: '', from: 1, to: 999 },
  ]);
  expect(streetOf(files, '550 Walla Walla Ave, NY 10001')).toBe('no match');
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
  ['150 Nort Main St', '150 N Main St'],
  ['150 Sout Main St', '150 S Main St'],
  ['150 Main St Wst', '150 W Main St'],
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

test.each([
  ['150 N River Circel W', 'no match'],
  ['150 N River Circel E', '150 N River Cir E'],
  ['150 N River Cirx W', 'no match'],
])('a direction behind what cannot be read is the street’s: %s is %s', (typed, expected) => {
  expect(streetOf(inTexas(['N River Cir E']), `${typed}, Sampleton, TX 78701`)).toBe(expected);
});

test('a space decides between two streets of one ZIP, and not where none is known', () => {
  const streetsIn = (zip: string) =>
    openBlocks(['Stud Horse Rd', 'Studhorse Rd'].map((street) => ({ street, zip, prefix: '', from: 1, to: 99 })));
  expect(streetOf(streetsIn('11372'), '12 Studhorse Rd, NY')).toBe('12 Studhorse Rd');
  expect(streetOf(streetsIn(''), '12 Studhorse Rd, NY')).toBe('tie');
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
