import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../../src/geocode/parse/parse-address.js';
import { inTexas, matchedIn, openBlocks, openZips, streetOf, streetsOf } from '../../support/made-up-streets.js';

const IN_TOWN = 'Sampleton, TX 78701';

describe('a street is not another one', () => {
  test.each([
    ['the opposite direction at the other end', '650 Central Ave N', 'N Central Ave', 'S Central Ave'],
    ['the opposite direction of an ordinal', '650 NE 4th Ave', '4th Ave NE', '4th Ave SE'],
    ['an opposite direction that is like a kind of street', '650 US Hwy 12 W', 'US Hwy 12 W', 'US Hwy 12 E'],
    ['the same on a grid', '650 S 200 W', 'S 200 W', 'S 200 E'],
    ['the same behind a name without a kind', '650 Broadway N', 'Broadway N', 'Broadway S'],
  ])('of %s, where it is there with other numbers: %s', (_, typed, asked, other) => {
    const files = openBlocks([
      { street: asked, zip: '10001', prefix: '', from: 1, to: 499 },
      { street: other, zip: '10001', prefix: '', from: 1, to: 1999 },
    ]);
    expect(streetOf(files, `${typed}, NY 10001`)).toBe('no match');
    expect(streetOf(files, `${typed.replace('650', '350')}, NY 10001`)).toBe(`350 ${asked}`);
  });

  test.each([
    ['half of its name, the city set apart', '150 Cherry Blossom', ['Cherry St']],
    ['half of its name with a building’s word', '150 Jordan Woods Apartments', ['Jordan St']],
    ['a slip and another kind', '150 Vine Ave', ['Pine St']],
    ['a slip and another kind in a longer name', '150 Barry Ct', ['Berry St']],
    ['a letter that is like a direction', '150 State Hwy K', ['State Hwy E']],
    ['a letter that is like a direction, of a number', '150 State Hwy 72', ['State Hwy E', 'Main St']],
    ['a letter that is like a direction, of a township’s number', '150 Township Rd 5', ['Township Rd E']],
    ['a letter that is like a direction, of a township’s other letter', '150 N Township Rd F', ['N Township Rd E']],
    ['a letter that is like a direction, of a private number', '150 Pvt Rd 5', ['Private Rd E']],
    ['a letter that is like a direction, of a parish’s number', '150 Parish Rd 5', ['Parish Rd S', 'Parish Rd N']],
    ['a letter that is like a direction, of a state road', '150 State Rd K', ['State Rd E']],
    ['a letter that is like a direction, of a road without one', '150 State Hwy E', ['State Rd']],
    ['a letter that is like a direction, of a road in a direction', '150 State Hwy E', ['E State Rd', 'W State Rd']],
    ['another letter in Spanish', '150 Calle B', ['Calle A']],
    ['a direction in full for a letter', '150 North Ave', ['Avenue N']],
    ['a letter behind an avenue', '150 Avenue B', ['B St']],
    ['a slip in an ordinal and another kind', '150 Forth Ave', ['4th St']],
    ['another letter of a private road', '150 Private Rd B', ['Private Rd A', 'Private Rd AA']],
    ['another letter of a parish’s road', '150 Parish Rd B', ['Parish Rd A']],
    ['a kind that is taken for a highway’s name', '150 State Hwy 72', ['State St', 'Slate Hwy']],
    ['a kind that is taken for a county road’s name', '150 County Rd B', ['County Dr', 'N County Rd']],
    ['a kind that is taken for a ranch road’s name', '150 Ranch Rd 620', ['Ranch St']],
    ['a kind that is taken for a state’s highway’s name', '150 Texas Hwy 72', ['Texas Ave']],
    ['a letter that is like a direction, of a street in it', '150 Hwy E', ['State St E', 'E State Rd', 'State Rd E']],
    ['a letter that is like a direction, of another letter', '150 Avenue M', ['Avenue N']],
    ['a letter that is like a direction, behind another letter', '150 M Ave', ['Avenue N']],
    ['a letter that is like a direction, in Spanish', '150 Calle M', ['Calle N', 'Avenida E']],
    ['a kind that is taken for a name with a slip', '150 North Ln', ['Lake Rd', 'N Lake Rd']],
    ['a slip and another kind in a name of seven letters', '150 Juniper Ct', ['Junipers St']],
    ['another road of its number that is old', '150 US Hwy 20 Old', ['US Hwy 20']],
    ['the same in a direction', '150 US Hwy 20 Old North', ['US Hwy 20']],
    ['a road beside it without the road', '150 Broadway Frontage', ['Broadway']],
    ['a direction at the end that is no city’s', '150 River St Woods SW', ['River St']],
    ['what is before `off`, where no street ends', '150 Old Turn Off Rd', ['Old Turn Ln']],
    ['its kind with two letters more', '150 Road 12A', ['Broad St']],
    ['the same behind a letter', '150 C Rd 5', ['Broad Ct']],
  ])('of %s: %s', (_, typed, streets) => {
    expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe('no match');
  });

  test.each([
    ['150 Central Ave N', ['N Central Ave']],
    ['150 SW 1st Ave', ['1st Ave SW']],
    ['150 Main Steet', ['Main St']],
    ['150 State Rd 5', ['State Rd']],
    ['150 State Hwy E', ['State Rd E', 'State Rd W']],
    ['150 State Road East', ['State Hwy E', 'State Hwy W']],
    ['150 State Rd E', ['SE State Hwy E']],
    ['150 Forest Rd #5', ['Forest Rd E']],
    ['150 Ranch Rd Apt 5', ['Ranch St']],
    ['150 State Rd Apt 5', ['State St']],
    ['150 Township Rd Apt 5', ['Township Rd E']],
    ['150 Washington Rd 5', ['N Washington Rd']],
    ['150 N Virginia Rd B', ['Virginia Rd']],
    ['150 New York Rd 5', ['New York Rd W']],
    ['150 Call B', ['Calle B', 'Calle A']],
    ['150 Avneue N', ['Avenue N', 'Avenue M']],
    ['150 N Ave', ['Avenue N', 'Avenue M', 'North St']],
    ['150 N Ave', ['North Ave', 'Avenue N']],
    ['150 M Ave Apt 3', ['Avenue M', 'Avenue N']],
    ['150 Avenue N 5', ['Avenue N', 'Avenue M']],
    ['150 Ave M 5', ['Avenue M', 'Avenue N']],
    ['150 Samplwood Blvd', ['Samplewood Ave']],
    ['150 Cherry', ['Cherry St']],
    ['150 Cherry St Woods Apartments', ['Cherry St']],
    ['150 Central N Woods Apartments', ['Central Ave N']],
    ['150 River St Woods West', ['River St']],
    ['150 Hwy 12E', ['State Hwy 12 E']],
    ['150 State Rd E', ['Hwy E']],
    ['150 Four Mlie Rd', ['4 Mile Rd']],
    ['150 12THS Ave', ['12th Ave']],
    ['150 Hawthorn Ct', ['Hawthorne St']],
    ['150 Barry Ct', ['Berry']],
    ['150 N Broadway Ave', ['N Broadway', 'Broadway Ave']],
    ['150 SW Broadway Ave', ['Broadway', 'SE Broadway Ave']],
  ])('but %s is %s', (typed, streets) => {
    expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(`150 ${streets[0]}`);
  });

  test.each([
    ['150 3rd Avve', ['3 Rd', '3rd Ave'], '150 3rd Ave'],
    ['150 Shady Laen', ['Shady Dr', 'Shady Ln'], '150 Shady Ln'],
    ['150 Main Stret W', ['Main Rd W', 'Main St W'], '150 Main St W'],
    ['150 Elm Creek Drvie', ['Elm Creek Rd', 'Elm Creek Dr'], '150 Elm Creek Dr'],
    ['150 Main Cort', ['Main Rd', 'Main Ct', 'Main Cor'], 'tie'],
    ['150 Main Laen', ['Main Rd', 'Main Dr'], 'tie'],
    ['150 Highland Pk', ['Highland Pl', 'Highland Ave'], 'tie'],
  ])('a misspelled type is the one that is meant, if there is only one: %s of %j', (typed, streets, expected) => {
    expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(expected);
  });

  test.each([
    ['150 US Hyw 89', ['US Hwy 89', 'US Hwy 12'], '150 US Hwy 89'],
    ['150 US wy 12 E', ['US Hwy 12 E', 'US Hwy 12 W'], '150 US Hwy 12 E'],
    ['150 Hy 360', ['State Hwy 360'], '150 State Hwy 360'],
    ['150 State Hwyy 360', ['State Hwy 360', 'State Hwy 350'], '150 State Hwy 360'],
    ['150 State Ruote 12', ['State Rte 12', 'US Hwy 12', 'State Rte 21'], '150 State Rte 12'],
    ['150 Sate Hwy 12', ['State Rd 12', 'US Hwy 12'], '150 State Rd 12'],
    ['150 Farm to Maket Rd 1960', ['FM 1960', 'FM 1961'], '150 FM 1960'],
    ['150 Couny Route 5', ['County Rd 5', 'State Rte 5'], '150 County Rd 5'],
    ['150 Forrest Rd 5', ['Forest Rd 5', 'Forrest Rd'], '150 Forrest Rd'],
    ['150 Branch Rd 5', ['Ranch Rd 5'], 'no match'],
    ['150 Oak Hay 360', ['State Hwy 360'], 'no match'],
    ['150 US Hyw 89', ['US Hwy 88', 'US Hwy 98'], 'no match'],
  ])('a misspelled highway is the one of its number: %s of %j', (typed, streets, expected) => {
    expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(expected);
  });

  test.each([
    ['150 W South', ['E South St', 'W South St'], '150 W South St'],
    ['150 W South', ['S West Rd'], 'no match'],
    ['150 E North', ['N East St'], 'no match'],
    ['150 S East', ['South St E', 'S East Rd'], 'tie'],
    ['150 E North St', ['North St E'], '150 North St E'],
  ])('of two directions, the second is its name: %s of %j', (typed, streets, expected) => {
    expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(expected);
  });

  test.each([
    ['150 Park AveS', ['Park Ave', 'Park Ave S'], '150 Park Ave S'],
    ['150 ELM AVENW', ['Elm Ave', 'Elm Ave NW', 'Elm Ave NE'], '150 Elm Ave NW'],
    ['150 LAKE DRE', ['Lake Dr', 'Lake Dr E', 'Lake Dr W'], '150 Lake Dr E'],
    ['150 LAKE DRIVEWEST', ['Lake Dr', 'Lake Dr E', 'Lake Dr W'], '150 Lake Dr W'],
    ['150 MAIN STW', ['E Main St', 'W Main St'], '150 W Main St'],
    ['150 MAIN STW', ['Main St E', 'Main St W'], '150 Main St W'],
    ['150 OAK STS', ['Oak St N', 'Oak St S'], '150 Oak St S'],
    ['150 S 200W', ['S 200 E', 'S 200 W'], '150 S 200 W'],
    ['150 NE4TH ST', ['4th St', '4th St NE', '4th St NW'], '150 4th St NE'],
    ['150 HWY 12E', ['Hwy 12', 'Hwy 12 E'], '150 Hwy 12 E'],
    ['150 State Route 9 N', ['State Rte 9N', 'US Hwy 9'], '150 State Rte 9N'],
    ['150 Route 9 N', ['State Rte 9N', 'US Hwy 9'], 'tie'],
    ['150 Route 9 N', ['US Hwy 9'], '150 US Hwy 9'],
    ['150 US 9 N', ['State Rte 9N', 'US Hwy 9'], '150 US Hwy 9'],
  ])(
    'nor without the direction that is written together with what precedes it: %s of %j',
    (typed, streets, expected) => {
      expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(expected);
    },
  );

  test.each(['150 River Overlook', '150 River Overlook TX', '150 RIVER MOSSWAY'])(
    'half of its name is not enough before what is no known city: %s',
    (typed) => {
      expect(streetOf(inTexas(['River Dr']), `${typed} 78701`)).toBe('no match');
    },
  );

  test.each([
    ['150 Main St SW', ['Main Ave'], 'no match'],
    ['150 Main St SW Troy', ['Main Ave'], 'no match'],
    ['150 Elm St Oak Hill, Troy', ['Elm St'], 'no match'],
    ['150 Elm St Oak Hill', ['Elm St'], '150 Elm St'],
    ['150 Main Sometown', ['Main St'], '150 Main St'],
    ['150 Main St Scenic Heights', ['Main St'], '150 Main St'],
    ['150 Main St Port Washington', ['Main St'], '150 Main St'],
    ['150 Main St Salem NW', ['Main St'], '150 Main St'],
    ['150 1st Ave SE Troy', ['1st Ave'], '150 1st Ave'],
    ['150 1st Ave SE Troy', ['1st Ave', '1st St SE'], 'tie'],
    ['150 Main St East Wing, Troy', ['Main St', 'Main Ave E'], 'tie'],
  ])('where no cities are known, what follows it may be one: %s of %j', (typed, streets, expected) => {
    const blocks = streets.map((street) => ({ street, zip: '10001', prefix: '', from: 1, to: 1999 }));
    expect(streetOf(openBlocks(blocks), `${typed}, NY 10001`)).toBe(expected);
  });

  test('without a ZIP, a city is not held against a street where no cities are known', () => {
    const block = { street: 'Main St', zip: '10001', prefix: '', from: 1, to: 1999 };
    expect(streetOf(openBlocks([block]), '150 Mian St, Anytown, NY')).toBe('150 Main St');
  });

  test.each([
    ['150 HH Hwy', ['State Hwy HH', 'State Hwy H'], '150 State Hwy HH'],
    ['150 SE AA Highway', ['SE State Hwy AA', 'State Hwy A'], '150 SE State Hwy AA'],
    ['150 J Hwy', ['State Hwy J', 'State Hwy JJ', 'J St'], '150 State Hwy J'],
    ['150 S J Hwy', ['State Hwy J', 'State Hwy K'], '150 State Hwy J'],
    ['150 E Highway', ['State Hwy E', 'State Hwy EE'], '150 State Hwy E'],
    ['150 AA Hwy', ['AA Hwy', 'State Hwy A'], '150 AA Hwy'],
    ['150 K Hwy', ['State Hwy KK', 'State Hwy E', 'Main St'], 'no match'],
    ['150 N 89 Highway', ['US Hwy 89', 'US Hwy 90'], '150 US Hwy 89'],
    ['150 20 US Hwy', ['US Hwy 20', '20th St'], '150 US Hwy 20'],
  ])('a letter or a number may stand before the word for a highway: %s of %j', (typed, streets, expected) => {
    expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(expected);
  });

  test.each([
    ['150 I-35 Feeder Rd', ['I- 35 Frontage Rd', 'I- 35'], '150 I- 35 Frontage Rd'],
    ['150 I-35 Feeder', ['I- 35 Frontage Rd', 'I- 35'], '150 I- 35 Frontage Rd'],
    ['150 N I-35 Frontage Rd', ['N I- 35 Svc Rd', 'S I- 35 Svc Rd'], '150 N I- 35 Svc Rd'],
    ['150 Highway 59 Access Rd', ['US Hwy 59 Frontage Rd'], '150 US Hwy 59 Frontage Rd'],
    ['150 I-35 Service Rd', ['I- 35 Svc Rd', 'I- 35 Frontage Rd'], '150 I- 35 Svc Rd'],
    ['150 I-35 Feeder Rd', ['I- 35 Svc Rd', 'I- 35 Frontage Rd'], 'tie'],
    ['150 W I-35 Service Rd', ['I- 35 Svc Rd', 'W I- 35 Frontage Rd'], '150 I- 35 Svc Rd'],
    ['150 I-35 Feeder Rd', ['I- 45 Frontage Rd', 'I- 35'], 'no match'],
    ['150 I-35', ['I- 35 Frontage Rd', 'I- 45 Frontage Rd'], '150 I- 35 Frontage Rd'],
    ['150 Interstate 35 N', ['N I- 35 Svc Rd', 'S I- 35 Svc Rd'], '150 N I- 35 Svc Rd'],
    ['150 IH 35', ['I- 35 Frontage Rd', 'I- 35'], '150 I- 35'],
    ['150 I-35', ['I- 35 Frontage Rd', 'I- 35 Svc Rd'], 'tie'],
    ['150 US 59', ['US Hwy 59 Frontage Rd'], 'no match'],
  ])('a road beside a highway is called otherwise only where no other is: %s of %j', (typed, streets, expected) => {
    expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(expected);
  });

  test.each([
    ['26', 'MI', ['M-28', 'M 28', 'M28', 'E M-28', 'Highway M-28', 'State Hwy M28', 'State Hwy 28', 'MI-28'], 28],
    ['20', 'KS', ['K-10', 'K10', 'K-10 Hwy', 'K10 Highway', 'State Hwy K-10', 'State Rte 10', 'Kansas 10'], 10],
  ])('a state’s letter may precede the number of its highways: %s', (fips, state, spellings, number) => {
    for (const there of spellings.filter((spelling) => !spelling.startsWith('E '))) {
      const others = [`State Hwy ${number + 1}`, `Co Rd ${number}`, `${number}th St`, `${state.charAt(0)} St`];
      const files = streetsOf(fips, '49800', 'Sampleton', [...others, there]);
      for (const typed of spellings) {
        expect(streetOf(files, `150 ${typed}, Sampleton, ${state} 49800`), typed).toBe(`150 ${there}`);
      }
    }
  });

  test('in another state, it does not', () => {
    expect(streetOf(inTexas(['State Hwy 28']), `150 M-28, ${IN_TOWN}`)).toBe('no match');
    const files = streetsOf('26', '49800', 'Sampleton', ['State Hwy 28', 'US Hwy 41', '41st St', 'M St']);
    for (const typed of ['K-28', 'M-41', 'M-29', '28', 'Hwy M']) {
      expect(streetOf(files, `150 ${typed}, Sampleton, MI 49800`), typed).toBe('no match');
    }
  });

  test('the number of a highway in Florida has letters on both sides', () => {
    const spellings = [
      'A1A',
      'A-1-A',
      'State Rd A1A',
      'SR-A1A',
      'State Hwy A1A',
      'Highway A1A',
      'FL-A1A',
      'US Hwy A1A',
    ];
    for (const there of ['A1A', 'State Rd A1A', 'State Hwy A1A', 'Hwy A1A']) {
      const files = streetsOf('12', '32100', 'Sampleton', [there, 'State Rd 1', 'US Hwy 1', 'A St']);
      for (const typed of [...spellings, 'South A1A']) {
        expect(streetOf(files, `150 ${typed}, Sampleton, FL 32100`), typed).toBe(`150 ${there}`);
      }
    }
    expect(streetOf(inTexas(['Hwy A1A']), `150 A1A, ${IN_TOWN}`)).toBe('no match');
  });

  test.each([
    ['150 N CR 500 W', ['N 500 W', 'S 500 W', 'N 500 E'], '150 N 500 W'],
    ['150 N County Road 500 West', ['N 500 W', 'N 600 W'], '150 N 500 W'],
    ['150 E 50 S', ['E Co Rd 50 S', 'E Co Rd 50 N'], '150 E Co Rd 50 S'],
    ['150 N CR 500 W', ['N 500 W', 'N Co Rd 500 W'], '150 N Co Rd 500 W'],
    ['150 N 500 W', ['N 500 W', 'N Co Rd 500 W'], '150 N 500 W'],
    ['150 CR 112 N', ['112th Ave N'], 'no match'],
    ['150 W 112th St', ['W Co Rd 112'], 'no match'],
  ])('a county road of a grid may be written with or without these words: %s of %j', (typed, streets, expected) => {
    expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(expected);
  });

  test.each([
    ['150 E 400 S', ['S 400 E'], 'no match'],
    ['150 E 400 S', ['W 400 S'], 'no match'],
    ['150 E 400 S', ['W 400 S', 'S 400 E', 'E 400 S'], '150 E 400 S'],
    ['150 400 S', ['S 400 E'], 'no match'],
    ['150 400 S', ['E 400 S', 'S 400 E'], '150 E 400 S'],
    ['150 W Sample Pkwy S', ['W Sample Pkwy N'], 'no match'],
    ['150 CR 500 N', ['Co Rd 500 E'], 'no match'],
    ['150 CR 500 N', ['N Co Rd 500'], '150 N Co Rd 500'],
    ['150 Rd 5 W', ['Rd 5 N'], 'no match'],
    ['150 400 S', ['400 E'], 'no match'],
    ['150 S Sample Pkwy', ['Sample Pkwy S'], '150 Sample Pkwy S'],
    ['150 S Sample Pkwy', ['N Sample Pkwy'], '150 N Sample Pkwy'],
  ])('a street of a grid, or with two directions, is no other one: %s of %j', (typed, streets, expected) => {
    expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(expected);
  });

  test.each([
    ['150 Mock County Road 34', ['County Road 34', 'County Road 36', 'Mock Rd'], '150 County Road 34'],
    ['150 Mock Co Rd 34', ['County Road 34'], '150 County Road 34'],
    ['150 Mock County Hwy B', ['County Road B', 'State Hwy B'], '150 County Road B'],
    ['150 Mock County Road 34', ['County Road 36', 'State Hwy 34'], 'no match'],
    ['150 Mock County Road 34', ['County Road 34', 'Mock County Road 34'], '150 Mock County Road 34'],
    ['150 Old County Road 34', ['County Road 34'], 'no match'],
    ['150 Oak St County Road 34', ['County Road 34'], 'no match'],
    ['150 Oak near County Road 34', ['County Road 34'], 'no match'],
    ['150 Oak Cr 34', ['County Road 34'], 'no match'],
    ['150 North County Road 34', ['S County Road 34'], 'no match'],
    ['150 North County Road 34', ['E County Road 34'], 'no match'],
  ])('a county’s name before its road’s is left out with care: %s of %j', (typed, streets, expected) => {
    expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(expected);
  });

  test('a county’s name is not left out in the next ZIP, or anywhere in the state', () => {
    const files = openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Main St'] },
      { zip: '78702', city: 'Nearby', streets: ['County Road 34'] },
    ]);
    expect(streetOf(files, '150 Mock County Road 34, Sampleton, TX 78701')).toBe('no match');
    expect(streetOf(files, '150 Mock County Road 34, TX')).toBe('no match');
    expect(streetOf(files, '150 Mock County Road 34, Nearby, TX')).toBe('150 County Road 34');
  });

  test('a road with a county’s name that is there without the number is not the one without it', () => {
    const files = openBlocks([
      { street: 'Mock County Road 34', zip: '10001', prefix: '', from: 1, to: 499 },
      { street: 'County Road 34', zip: '10001', prefix: '', from: 1, to: 1999 },
    ]);
    expect(streetOf(files, '950 Mock County Road 34, NY 10001')).toBe('no match');
  });

  test('a road of a grid that is there without the number is not one of the other name', () => {
    const files = openBlocks([
      { street: 'N 500 W', zip: '10001', prefix: '', from: 1, to: 499 },
      { street: 'N Co Rd 500 W', zip: '10001', prefix: '', from: 1, to: 1999 },
    ]);
    expect(streetOf(files, '950 N 500 W, NY 10001')).toBe('no match');
    expect(streetOf(files, '950 N CR 500 W, NY 10001')).toBe('950 N Co Rd 500 W');
  });

  test('a road beside a highway that is there without the number is not one called otherwise', () => {
    const files = openBlocks([
      { street: 'I- 87 Svc Rd', zip: '10001', prefix: '', from: 1, to: 499 },
      { street: 'I- 87 Access Rd', zip: '10001', prefix: '', from: 1, to: 1999 },
    ]);
    expect(streetOf(files, '950 I-87 Service Rd, NY 10001')).toBe('no match');
    expect(streetOf(files, '350 I-87 Service Rd, NY 10001')).toBe('350 I- 87 Svc Rd');
  });

  test('a cardinal is not the ordinal of its value', () => {
    const files = inTexas(['2nd Ave', 'Eight Mile Rd']);
    expect(streetOf(files, `150 Two Ave, ${IN_TOWN}`)).toBe('no match');
    expect(streetOf(files, `150 8 Mile Rd, ${IN_TOWN}`)).toBe('150 Eight Mile Rd');
  });

  test('two that are as likely are a tie without a ZIP, too', () => {
    const files = inTexas(['Yates Dr', 'Yeates Ln']);
    for (const ending of [IN_TOWN, 'Sampleton, TX']) expect(streetOf(files, `150 Yates Ln, ${ending}`)).toBe('tie');
  });

  test('half of its name is not enough before a city that is known, either', () => {
    const files = inTexas(['Cherry St']);
    expect(streetOf(files, '150 Cherry Sampletan TX 78701')).toBe('150 Cherry St');
    expect(streetOf(files, '150 Cherry Blossom Sampleton TX 78701')).toBe('no match');
    expect(streetOf(files, '150 Cherry Sampleton TX 78701')).toBe('150 Cherry St');
  });
});

describe('of two ZIPs', () => {
  const block = { prefix: '', from: 1, to: 999 };
  const town = (first: readonly string[], second: readonly string[], cities: readonly [string, string]) =>
    openZips('48', [
      { zip: '78701', city: cities[0], streets: first },
      { zip: '78702', city: cities[1], streets: second },
    ]);

  test('the written one is meant where the other has only the right kind of street', () => {
    const files = openBlocks([
      { ...block, street: 'Elm Ave', zip: '10001' },
      { ...block, street: 'Elm St', zip: '10002' },
    ]);
    expect(streetOf(files, '150 Elm St, NY 10001')).toBe('150 Elm Ave');
  });

  test('the other is searched for other spellings, too, and nothing in it is good enough with much else amiss', () => {
    const files = town(['Oak St'], ['Main St'], ['Sampleton', 'Sampleton']);
    expect(streetOf(files, '150 Mian St, Sampleton, TX 78701')).toBe('150 Main St');
    const short = openBlocks([
      { ...block, street: 'Main St', zip: '10001', to: 139 },
      { ...block, street: 'N Main St', zip: '10001', from: 200, to: 299 },
      { ...block, street: 'Oak St', zip: '10002' },
    ]);
    expect(streetOf(short, '150 Main, NY 10002')).toBe('150 Main St');
    expect(streetOf(short, '310 Main, NY 10002')).toBe('no match');
    expect(streetOf(short, '250 Main, NY 10002')).toBe('250 N Main St');
  });

  test('a street that is elsewhere in the state is a misspelling of one in the city that is named', () => {
    const files = town(['Main St'], ['Maim St'], ['Sampleton', 'Otherville']);
    expect(streetOf(files, '150 Maim St, Sampleton, TX')).toBe('150 Main St');
    expect(streetOf(files, '150 Maim St, Otherville, TX')).toBe('150 Maim St');
  });

  test('what follows a street is its city where that is known to be another one’s, unless a comma tells', () => {
    const files = town(['Elm St'], ['Pine St'], ['Sampleton', 'Oak Hill']);
    expect(streetOf(files, '150 Elm St Oak Hill, TX 78701')).toBe('150 Elm St');
    expect(streetOf(files, '150 Elm St Oak Hill, Sampleton, TX 78701')).toBe('no match');
  });

  test('the one beside the written one is meant where no city is known to use it', () => {
    const files = openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Oak St'] },
      { zip: '78702', city: '', streets: ['Main St'] },
    ]);
    expect(streetOf(files, '150 Main St, Sampleton, TX 78701')).toBe('150 Main St');
    expect(streetOf(files, '150 Main St, Nowhere, TX')).toBe('150 Main St');
    expect(streetOf(files, '150 Mian St, Nowhere, TX')).toBe('no match');
  });
});

describe('a ZIP that no range has', () => {
  const files = () =>
    openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Sunset Dr'] },
      { zip: '78745', city: 'Exampleville', streets: ['Main St'] },
    ]);

  test('is taken for a neighbour’s only where the city is', () => {
    expect(streetOf(files(), '150 Sunset Dr, Sampleton, TX 78704')).toBe('150 Sunset Dr');
    expect(streetOf(files(), '150 Sunset Dr, TX 78704')).toBe('150 Sunset Dr');
    expect(streetOf(files(), '150 Sunset Dr, Exampleville, TX 78704')).toBe('no match');
    expect(streetOf(files(), '150 Sunset Dr, Nowhereville, TX 78704')).toBe('no match');
  });
});

test('a number between two ranges that is as near to both is a tie', () => {
  const block = { street: 'Elm St', zip: '10001', prefix: '' };
  const files = openBlocks([
    { ...block, from: 100, to: 148 },
    { ...block, from: 152, to: 198 },
  ]);
  expect(streetOf(files, '150 Elm St, NY 10001')).toBe('tie');
  expect(streetOf(files, '149 Elm St, NY 10001')).toBe('149 Elm St');
});

test('a city behind the street that is near is not cut off with it', () => {
  const files = openZips('48', [
    { zip: '78701', city: 'Sampleton', streets: ['Oak Ave'] },
    { zip: '75001', city: 'Otherton', streets: ['Main St'] },
  ]);
  expect(streetOf(files, '150 Main St near Oak Ave, Otherton, TX')).toBe('150 Main St');
  expect(streetOf(files, '150 Main St near Oak Ave Sampleton TX')).toBe('no match');
});

describe('figures that are no house’s', () => {
  test.each([
    'P O BX 150 MAIN ST SAMPLETON TX 78701',
    'POBX 150 Sampleton TX 78701',
    'P.O. 150 Main St, Sampleton, TX 78701',
    'Lockbox 150 Main St, Sampleton, TX 78701',
  ])('but a box’s: %s', (address) => {
    expect(streetOf(inTexas(['Main St']), address)).toBe('cannot be placed');
  });

  test.each('PMB Site Cabin Bay Wing Ward Bed Slot Stop Pier'.split(' '))('but a %s’s', (part) => {
    expect(streetOf(inTexas(['Main St']), `${part} 150 Main St, ${IN_TOWN}`)).toBe('no match');
  });

  test('are the house’s where a part of a building is beside it, and such words are streets’ names', () => {
    const files = inTexas(['Main St', 'Bay St', 'Key West Rd', 'Pier Ave', 'US Hwy 89']);
    for (const part of ['PMB 12', 'Bay 3', 'Tower 2', 'Lvl 2', 'Bldg A Apt 2', 'Lower', 'Apt Two']) {
      expect(streetOf(files, `150 Main St ${part}, Sampleton, TX`), part).toBe('150 Main St');
    }
    expect(streetOf(files, '150 US Hwy 89 PMB 12, Sampleton, TX 78701')).toBe('150 US Hwy 89');
    expect(streetOf(files, `Pier 39 150 Main St, ${IN_TOWN}`)).toBe('150 Main St');
    for (const street of ['Bay St', 'Key West Rd', 'Pier Ave']) {
      expect(streetOf(files, `150 ${street}, ${IN_TOWN}`)).toBe(`150 ${street}`);
    }
  });

  test.each(['County Rd 150', 'State Hwy 150', 'Ranch Rd 150', 'Main St Apt 150', 'Main St 150-B C'])(
    'may be all of a street’s: %s',
    (typed) => {
      expect(streetOf(inTexas(['Main St', 'County Rd', 'State Hwy', 'Ranch Rd']), `${typed}, ${IN_TOWN}`)).toBe(
        'no match',
      );
    },
  );

  test.each(['15O Main St', '15o Main St'])('may be letters: %s is 15 or 150, and a tie where both are', (typed) => {
    const block = { street: 'Main St', zip: '10001', prefix: '' };
    const both = openBlocks([
      { ...block, from: 1, to: 99 },
      { ...block, from: 100, to: 198 },
    ]);
    expect(streetOf(both, `${typed}, NY 10001`)).toBe('tie');
    expect(streetOf(openBlocks([{ ...block, from: 100, to: 198 }]), `${typed}, NY 10001`)).toBe('150 Main St');
    expect(streetOf(openBlocks([{ ...block, from: 1, to: 99 }]), `${typed}, NY 10001`)).toBe('15 Main St');
  });
});

describe('two addresses in one text', () => {
  const files = () =>
    openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Main St'] },
      { zip: '75001', city: 'Exampleville', streets: ['Main St', 'B St'] },
    ]);

  test.each(['; ', '\n', ' / ', ' formerly ', ' (winter: '])('are none, divided by %j', (between) => {
    const text = `150 Main St, Sampleton, TX 78701${between}151 B St, Exampleville, TX 75001`;
    expect(streetOf(files(), text)).toBe('no match');
  });

  test('are one where they are the same', () => {
    const one = '150 Main St, Sampleton, TX 78701';
    expect(streetOf(files(), `${one}, ${one}`)).toBe('150 Main St');
    expect(streetOf(files(), `${one}\n${one.toUpperCase()}`)).toBe('150 Main St');
  });
});

describe('what looks like something else is what it was', () => {
  test.each([
    ['a kind twice, and more of the name', '150 Mill Fork Court Ct N', 'Mill Fork Ct N'],
    ['a stop’s number within a name', '150 Old Stop 11 Rd', 'Old Stop 11 Rd'],
    ['a name without a kind, and a part of a building', '150 Broadway Lower Level', 'Broadway'],
    ['a quarter behind a name without a kind', '150 Broadway Soho', 'Broadway'],
    ['a house number that is like a ZIP, behind a firm', '3M Co, 12010 Elm St', 'Elm St'],
    ['the same behind a firm with a number', '7 Seas Co, 12010 Elm St', 'Elm St'],
  ])('%s: %s', (_, typed, street) => {
    const files = openBlocks([{ street, zip: '10001', prefix: '', from: 1, to: 19999 }]);
    expect(streetOf(files, `${typed}, Sampleton, NY 10001`)).toContain(` ${street}`);
    expect(streetOf(files, `${typed}, Sampleton, NY 10001, NY 10001`)).toContain(` ${street}`);
    expect(streetOf(files, `${typed}, Sampleton, NY 10001-1234, NY, 10001`)).toContain(` ${street}`);
  });

  const towns = () =>
    openZips('48', [
      { zip: '78701', city: 'George', streets: ['Mill St', 'Lone Rd'] },
      { zip: '78702', city: 'South Garner', streets: ['Oak St', 'Lone Rd'] },
      { zip: '78703', city: 'Between', streets: ['Elm St'] },
    ]);

  test.each([
    ['120 Mill St St George TX', 'no match'],
    ['120 Mill St George TX', '120 Mill St'],
    ['120 Lone Rd, So Garner, TX', '120 Lone Rd'],
    ['120 Lone Rd, So. Garner, TX 78702', '120 Lone Rd'],
    ['120 Elm St Between TX', '120 Elm St'],
    ['120 Mill St, Kansas City: George, TX', 'no match'],
    ['Smith Family Trust, 120 Elm St Between Texas', '120 Elm St'],
  ])('a town: %s', (address, expected) => {
    expect(streetOf(towns(), address)).toBe(expected);
  });

  test('beside a ZIP that no range has, a city decides only where cities are known, and may have a slip', () => {
    expect(streetOf(towns(), '120 Mill St, Gorge, TX 78799')).toBe('120 Mill St');
    const unknown = openBlocks([{ street: 'Main St', zip: '10001', prefix: '', from: 1, to: 199 }]);
    expect(streetOf(unknown, '120 Main St, Anytown, NY 10099')).toBe('120 Main St');
  });

  test('many words that may be directions are read in two ways, not in as many as there are', () => {
    const { kind, ...parsed } = parseAddress(`12 Main ${'No St '.repeat(60)}NC 27944`);
    expect(kind).toBe('address');
    expect('readings' in parsed && parsed.readings.length).toBeLessThan(5);
  });
});

describe('a street that is there as it is asked for, but has not the number', () => {
  const twins = (asked: string, other: string) =>
    openBlocks([
      { street: asked, zip: '10001', prefix: '', from: 1, to: 99 },
      { street: other, zip: '10001', prefix: '', from: 1, to: 999 },
    ]);

  test.each([
    ['another of nearly its name', 'Marion St', 'Marian St'],
    ['another of nearly its short name', 'Elm St', 'Elms St'],
    ['a longer one that begins with it', 'Main St', 'Main St Ext'],
    ['a court off it', '5th St E', '5th St Ct E'],
    ['a road off it', 'SE 25th Ave', 'SE 25th Ave Rd'],
    ['a court off it, in whole words', 'Park Ave', 'Park Avenue Ct'],
    ['one of its number and another kind', '5th Ave', '5th St'],
    ['the same with a direction', '5th Ave N', '5th St N'],
  ])('is not %s: %s, %s', (_, asked, other) => {
    expect(streetOf(twins(asked, other), `150 ${asked}, NY 10001`)).toBe('no match');
    expect(streetOf(twins(asked, other), `50 ${asked}, NY 10001`)).toBe(`50 ${asked}`);
    expect(streetOf(twins(asked, other), `150 ${other}, NY 10001`)).toBe(`150 ${other}`);
  });

  const town = (first: readonly string[], second: readonly string[]) =>
    openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: first },
      { zip: '78702', city: 'Sampleton', streets: second },
    ]);

  test('is not another one in a ZIP beside it, either', () => {
    const files = town(['N Oak Ave', 'NE 5th Ave', 'Marion St'], ['S Oak Ave', 'SE 5th Ave', 'Marian St']);
    for (const street of ['N Oak Ave', 'NE 5th Ave', 'Marion St']) {
      for (const end of ['Sampleton, TX', 'Sampleton, TX 78701', 'Sampleton, TX 78702']) {
        expect(streetOf(files, `2650 ${street}, ${end}`), `${street}, ${end}`).toBe('no match');
        expect(streetOf(files, `650 ${street}, ${end}`), `${street}, ${end}`).toBe(`650 ${street}`);
      }
    }
  });

  test.each([
    ['1st Ave', '1st St'],
    ['1st Ave NE', '1st St NE'],
    ['Oak Ave', 'Oak Ct'],
    ['S Church Ln', 'Church Ln'],
  ])('and a wrong ZIP: %s of the next one ties with %s of the written one', (asked, other) => {
    expect(streetOf(town([other], [asked]), `150 ${asked}, Sampleton, TX 78701`)).toBe('tie');
    expect(streetOf(town([other], []), `150 ${asked}, Sampleton, TX 78701`)).toBe(`150 ${other}`);
  });

  test('of another kind in the written ZIP is barred, and so is a worse one in the next', () => {
    const block = { prefix: '', from: 1, to: 999 };
    const files = openBlocks([
      { ...block, street: '5th Ave', zip: '10001', to: 99 },
      { ...block, street: '5th St', zip: '10001' },
      { ...block, street: 'E 5th St', zip: '10002' },
    ]);
    expect(streetOf(files, '150 5th Ave, NY 10001')).toBe('no match');
  });

  test('is looked for in the next ZIP before it is taken for a longer one', () => {
    const files = town(['112th St Ct E', 'Main St Ext'], ['112th St E', 'Main St']);
    for (const street of ['112th St E', 'Main St', '112th Street East']) {
      expect(streetOf(files, `150 ${street}, Sampleton, TX 78701`)).toMatch(/^150 (?:112th St E|Main St)$/);
    }
  });
});

describe('what is behind a street may be the rest of another one’s name', () => {
  test.each([
    '150 Cherry Blossom Pl Belvidere, TX 78701',
    '150 Cherry Hill St Winfall TX 78701',
    '150 Cherry Hill Cir Winfall TX 78701',
    '150 Pine Forest Trl Winfall TX 78701',
    '150 Cherry Hill St N, TX 78701',
    '150 Cherry Hill, Sampleton, TX 78701',
    '150 Lake View, Sampleton, TX 78701',
    '150 Oak Grove, Sampleton, TX 78701',
    '150 Oak D, Sampleton, TX 78701',
  ])('%s', (address) => {
    expect(streetOf(inTexas(['Cherry Ln', 'Pine Dr', 'Lake Dr', 'Oak Ave', 'Oak Rd']), address)).toMatch(
      /^(?:no match|tie)$/,
    );
  });

  test.each([
    ['150 Cherry Hill, Sampleton, TX 78701', 'Cherry Hill Rd'],
    ['150 Bear Run, Sampleton, TX 78701', 'Bear Run Rd'],
    ['150 Cherry St Paul TX 78701', 'Cherry St'],
  ])('but not where it is all there: %s is %s', (address, street) => {
    expect(streetOf(inTexas([street]), address)).toBe(`150 ${street}`);
  });

  test.each([
    '150 US Hwy 20 Business',
    '150 US 20 Bus',
    '150 US-20 Business W',
    '150 US Hwy 20 Truck',
    '150 US 20 Alt',
    '150 Old Hwy 20',
    '150 Hwy 20 Connector',
    '150 Main St Connector',
    '150 Main St Cutoff',
  ])('%s is no other road of that number or name', (typed) => {
    expect(streetOf(inTexas(['US Hwy 20', 'Main St']), `${typed}, ${IN_TOWN}`)).toBe('no match');
  });

  test.each([
    ['150 N 89 Hwy', ['N US Hwy 89', 'S US Hwy 89'], '150 N US Hwy 89'],
    ['150 89 Highway S', ['N US Hwy 89', 'S US Hwy 89'], '150 S US Hwy 89'],
    ['150 89 Hwy Apt 12', ['US Hwy 89', 'US Hwy 12'], '150 US Hwy 89'],
    ['150 89 Hwy 12', ['US Hwy 89'], 'no match'],
    ['150 Main 89 Hwy', ['US Hwy 89', 'Main St'], 'no match'],
  ])(
    'a highway’s number may stand before it, if it has no other and nothing else does: %s of %j',
    (typed, streets, expected) => {
      expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(expected);
    },
  );

  test.each([
    ['Bus US Hwy 20', ['US Hwy 20 Business', 'US 20 Bus', 'Business US 20', 'Hwy 20 Business']],
    ['Old US Hwy 20', ['Old Hwy 20', 'Old US 20', 'Old U.S. Highway 20']],
    ['Alt US Hwy 19', ['US 19 Alt', 'US Hwy 19 Alternate', 'Alternate US 19']],
  ])('a highway’s qualifier stands before or behind it: %s', (street, spellings) => {
    const files = inTexas([street, 'US Hwy 20', 'US Hwy 19']);
    for (const spelling of spellings) {
      expect(streetOf(files, `150 ${spelling}, ${IN_TOWN}`), spelling).toBe(`150 ${street}`);
    }
  });
});

test('a ZIP and a city that are far from each other tie where both have the house', () => {
  const builderOf = (street: string) =>
    openZips('48', [
      { zip: '78701', city: 'Sampleton', streets: ['Main St', 'Oak Ave'] },
      // Far enough down the map: each street of these lies 0.003° above the one before it.
      { zip: '78650', city: 'Between', streets: Array.from({ length: 120 }, (_, at) => `Lane ${at} Rd`) },
      { zip: '75001', city: 'Fargone', streets: [street] },
    ]);
  expect(streetOf(builderOf('Oak Ave'), '150 Oak Ave, Fargone, TX 78701')).toBe('tie');
  expect(streetOf(builderOf('Oak Ave'), '150 Oak Ave, Sampleton, TX 75001')).toBe('tie');
  expect(streetOf(builderOf('Elm St'), '150 Oak Ave, Fargone, TX 78701')).toBe('150 Oak Ave');
  expect(streetOf(builderOf('Oak Ave'), '150 Oak Ave, Nowhere, TX 78701')).toBe('150 Oak Ave');
});

test('a city that has a ZIP near the one written is not far from it, whatever its others are', () => {
  const files = openZips('48', [
    { zip: '78701', city: 'Sampleton', streets: ['Main St'] },
    { zip: '78702', city: 'Fargone', streets: ['Oak St'] },
    { zip: '78650', city: 'Between', streets: Array.from({ length: 120 }, (_, at) => `Lane ${at} Rd`) },
    { zip: '75001', city: 'Fargone', streets: ['Main St'] },
  ]);
  expect(matchedIn(files, '150 Main St, Fargone, TX 78701')).toMatch(/78701$/);
});

test('a misspelled street is found before the longest name of a city, without a comma', () => {
  const files = streetsOf('17', '60156', 'Lake in the Hills', ['Main St']);
  expect(streetOf(files, '150 Mian St Lake in the Hills IL 60156')).toBe('150 Main St');
});

test('behind a highway’s number, a word that is like a kind of street is the city’s', () => {
  const files = openZips('48', [
    { zip: '78701', city: 'San Sample', streets: ['Main St'] },
    { zip: '78702', city: 'Otherville', streets: ['US Hwy 20', 'FM 1960 Rd'] },
  ]);
  expect(streetOf(files, '150 US Hwy 20 San Sample TX 78701')).toBe('no match');
  expect(streetOf(files, '150 FM 1960 Raod, Otherville, TX 78702')).toBe('150 FM 1960 Rd');
});

test('behind a highway, what else would be its qualifier may be the city', () => {
  const files = streetsOf('46', '57780', 'Scenic', ['State Hwy 44']);
  expect(streetOf(files, '150 State Hwy 44 Scenic SD 57780')).toBe('150 State Hwy 44');
});

test.each([
  ['1OO Main St', '100 Main St'],
  ['1Ol Main St', '101 Main St'],
  ['2ll Main St', '211 Main St'],
])('two letters may be figures: %s', (typed, expected) => {
  const block = { street: 'Main St', zip: '10001', prefix: '' };
  const both = openBlocks([
    { ...block, from: 1, to: 99 },
    { ...block, from: 100, to: 298 },
  ]);
  expect(streetOf(both, `${typed}, NY 10001`)).toBe('tie');
  expect(streetOf(openBlocks([{ ...block, from: 100, to: 298 }]), `${typed}, NY 10001`)).toBe(expected);
});

test.each([
  ['150 J & J Ln', '150 J & J Ln'],
  ['150 J&J Ln', '150 J & J Ln'],
  ['150 J & J Ln Apt 3', '150 J & J Ln'],
  ['150 J & J Ln & Oak St', '150 J & J Ln'],
  ['150 J & J Ln at corner of Oak St', '150 J & J Ln'],
  ['150 D & R Ln', '150 D and R Ln'],
  ['150 D & D Ln', 'no match'],
  ['150 Oak & Vine Dr', '150 Oak and Vine Dr'],
  ['150 Park & Ride Rd', '150 Park & Ride Rd'],
  // At a corner.
  ['150 Oak St & Vine Dr', '150 Oak St'],
  ['150 Oak & Main St', '150 Oak St'],
  ['150 Oak & Jane Sample', '150 Oak St'],
])('an “&” may be part of a name, or stand before a cross street: %s', (typed, expected) => {
  const streets = [
    'J & J Ln',
    'J St',
    'D and R Ln',
    'D St',
    'Oak and Vine Dr',
    'Oak St',
    'Main St',
    'Park & Ride Rd',
    'Park St',
  ];
  const files = streetsOf('37', '27944', 'Sampleton', streets);
  for (const end of [', Sampleton, NC 27944', ' Sampleton NC 27944', ', NC 27944'])
    expect(streetOf(files, typed + end), typed + end).toBe(expected);
});

test.each([
  ['Boston', ['Boston', 'Troy'], 'Boston'],
  ['Bolton', ['Boston', 'Troy'], 'Boston'],
  ['Bolton', ['Boston', 'Colton'], undefined],
  ['Elma', ['Alma', 'Troy'], undefined],
])(
  'without a ZIP, %s of %j is %s: a slip tells a city only if it is long, and the only one like it',
  (typed, cities, expected) => {
    const zips = cities.map((city, at) => ({ zip: `7870${at + 1}`, city, streets: ['Main St'] }));
    const found = matchedIn(openZips('48', zips), `150 Main St, ${typed}, TX`);
    expect(found.split(', ')[1]).toBe(expected);
  },
);

test.each([
  ['150 Forth St', ['4th St', 'Maple St'], '150 4th St'],
  ['150 Forth St', ['4th St', 'North St'], 'tie'],
  ['150 Forth St', ['Forth St', '4th St'], '150 Forth St'],
  ['150 Fith Ave N', ['5th Ave N', '6th Ave N'], '150 5th Ave N'],
  ['150 Twenty Frist St', ['21st St', '20th St'], '150 21st St'],
])('an ordinal in letters with a typo: %s of %j', (typed, streets, expected) => {
  expect(streetOf(inTexas(streets), `${typed}, ${IN_TOWN}`)).toBe(expected);
});
