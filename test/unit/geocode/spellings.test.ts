import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AddressFiles } from '../../../src/format/addresses/address-files.js';
import { matchAddress } from '../../../src/geocode/match/match-address.js';
import { parseAddress } from '../../../src/geocode/parse/parse-address.js';
import { openBlocks, release, streetOf, streetsOf } from '../../support/made-up-streets.js';

const STREETS = [
  ['Stud Horse Rd', 'Studhorse Rd', 'stud horse road', 'STUD-HORSE RD'],
  ['Greenwood Ln', 'Green Wood Ln'],
  ['Lake View', 'Lakeview'],
  ['Ridgecrest', 'Ridge Crest'],
  ['N Wood Rd', 'Northwood Rd', 'N.Wood Rd'],
  ['Southgate Dr', 'South Gate Dr'],
  ['St Johns Way', 'St.Johns Way', "Saint John's Way", 'St Johns Wy'],
  [
    'RM 620',
    'RM620',
    'RM-620',
    'Ranch Road 620',
    'Ranch to Market 620',
    'Ranch to Market Rd 620',
    'R.M. 620',
    'RM Rd 620',
  ],
  [
    'FM 1960 Rd W',
    'FM 1960 W',
    'FM1960 West',
    'Farm to Market 1960 W',
    'Farm-to-Market Road 1960 W',
    'Farm to Mkt Rd 1960 W',
    'Hwy 1960 W',
  ],
  ['Ranch Rd 12', 'RR 12', 'RR-12', 'RM 12', 'FM 12'],
  ['State Loop 410', 'Loop 410', 'Loop410', 'Hwy 410'],
  ['US Hwy 89', 'US89', 'US-89', 'U.S.Hwy 89', 'Hwy US 89', 'Highway 89', 'U.S. Route 89'],
  ['I- 37 Frontage Rd', 'I-37 Frontage', 'I37 Frontage', 'Interstate 37 Frontage Road'],
  ['I- 37', 'IH 37'],
  ['US Hwy 91 Alt', 'US 91A', 'Hwy 91A'],
  ['US Hwy 91', 'Hwy 91', '91 Hwy', '91 Highway', '91 Hwy.'],
  ['US Hwy 87', 'US Hwy87', 'US Hwy No 87', 'US Hwy No. 87', 'US Hgwy 87'],
  ['US Hwy 17 Bus', 'US 17 Business', 'Hwy 17 Business', 'US-17 Bus.'],
  [
    'State Hwy 7',
    'TX State Hwy 7',
    'Texas State Route 7',
    'SR7',
    'SR-7',
    'SR 7',
    'State Rte 7',
    'TX-7',
    'TX 7',
    'Hwy 7',
  ],
  ['Co Rd 5', 'CR5', 'CR-5', 'County 5', 'Cty Rd 5', 'Co. Hwy 5', 'County Road 5', 'County Rd #5', 'County Road No. 5'],
  ['Co Rd 112', 'Road 112', 'Rd 112', 'Rd. 112'],
  ['NE 7th Ave', 'NE 7 Ave', 'N.E. 7 Avenue', 'N E 7th Ave'],
  ['M St NW', 'M St N W', 'M Street North West', 'M St North-West'],
  ['Martin Luther King Jr Pkwy', 'Marin Luther King Jr Pkwy', 'Martin Luthur King, Jr. Pkwy', 'M L King Jr Pkwy'],
  ['Co Hwy B', 'CTH B', 'County B', 'Hwy B', 'Cty Rd B'],
  ['Co Rd MM', 'County Trunk MM', 'Cty Trk MM', 'Cnty Trunk Road MM'],
  ['State Hwy 1', 'Highway One', 'Hwy One', 'State Route One'],
  ['State Hwy 16', 'S R 16', 'S H 16', 'T X Hwy 16'],
  ['State Loop 1604 W', 'Lp 1604 W', 'West Lp 1604'],
  ['Twp Rd 20', 'Township Road 20', 'TSR 20'],
  ['Wisconsin Hwy 35', 'Wis Hwy 35', 'Wis. 35'],
  ['Minnesota Hwy 3', 'Minn Hwy 3', 'Minn. 3'],
  ['Connecticut Ave', 'Conn Ave', 'Conn. Avenue'],
  ['Adam Sample Powell Jr Blvd', 'Adam Sample Powell Blvd', 'Adam Sample Powell, Jr. Blvd'],
  ['E Broadway', 'E B’way', 'E Bway', 'East Bdwy'],
  ['Pacific Coast Hwy', 'PCH', 'P.C.H.'],
  ['3rd Street Cir W', '3rd Street Circle West', '3rd St Cir W', '3 St Circle W'],
  ['Sample Street Ext', 'Sample St Extension', 'Sample St Ext'],
  ['Brook St Ext', 'Brook Street Extension'],
  ['State Hwy D', 'Hwy D', 'Highway D', 'Route D', 'Rt D', 'State Route D', 'State Rd D', 'St Hwy D', 'TX Hwy D'],
  ['State Rte AB', 'Hwy AB', 'State Hwy AB', 'Route AB'],
  ['State Hwy E', 'Hwy E', 'Route E', 'State Rte E', 'SE State Hwy E', 'State Rd E', 'State Highway East'],
  ['Hwy K', 'State Hwy K', 'Route K'],
  ['Massachusetts Ave NW', 'Mass Ave NW', 'Mass. Avenue NW'],
  ['State Rte 29', 'NYS Route 29', 'NYS Rte. 29', 'NYS Highway 29', 'NYS-29'],
  ['N Co Rd 300 W', 'N County Rd 300W', 'N CR 300W', 'North County Road 300 West'],
  ['I- 35', 'I-35', 'IH35', 'I35', 'Interstate 35', 'Interstate Hwy 35'],
  ['Pvt Rd 1234', 'PR 1234', 'Private Road 1234', 'PR-1234', 'Priv Rd 1234'],
  ['Parish Rd 77', 'Par Rd 77', 'Parish Road 77'],
  ['BIA Rte 9', 'BIA 9', 'Indian Route 9', 'Indian Service Rte 9', 'BIA Road 9', 'Bureau of Indian Affairs Rd 9'],
  ['Dr Phillips Blvd', 'Doctor Phillips Blvd', 'Dr. Phillips Blvd'],
  ['I St', 'Eye St', 'Eye Street', 'I Street'],
  ['Cll Real', 'Calle Real'],
  ['Cam del Rio S', 'Camino del Rio S', 'Camino Del Rio South'],
  ['Cmt Alvarez', 'Caminito Alvarez'],
  ['Pso del Norte', 'Paseo del Norte', 'Paseo Del Norte'],
  ['Ave de la Playa', 'Avenida de la Playa', 'Avda de la Playa'],
  ['Co St Aid Hwy 31', 'CSAH 31', 'County Rd 31', 'County State Aid Highway 31', 'Co Rd 31'],
  ['Co Trunk Hwy PP', 'County Rd PP', 'CTH PP', 'Cty PP', 'Hwy PP'],
  ['St Trunk Hwy 135', 'State Hwy 135', 'Hwy 135', 'STH 135', 'State Trunk Highway 135'],
  ['I- 94 Svc Rd', 'I-94 Service Rd', 'Interstate 94 Service Road'],
  ['Navajo Svc Rte 12', 'Navajo Route 12', 'Navajo Service Route 12', 'Indian Route 12'],
  ['Nat For Dev Rd 77', 'National Forest Development Road 77', 'FS Rd 77'],
  ['Sunny Mobile Hm Pk', 'Sunny Mobile Home Park'],
  ['Ave of the Americas', 'Avenue of the Americas', 'Avenue of Americas'],
  ['Santa Fe Ave', 'Sta Fe Ave'],
  ['Bonanza Creek Rd', 'Bonanza Ck Rd', 'Bonanza Cr Rd', 'Bonanza Crk Rd'],
  ['Woodland Church Rd', 'Woodland Ch Rd'],
  ['Perrys Bridge Rd', 'Perrys Brdg Rd'],
  ['Harris Landing Rd', 'Harris Ldg Rd'],
  ['Beech Springs Rd', 'Beech Sprs Rd'],
  ['County Line Rd', 'Co Line Rd', 'Co. Line Road', 'Cnty Line Rd'],
  ['E Railroad Ave', 'E RR Ave', 'East R.R. Avenue'],
  ['Holiday Island Rd', 'Holiday Isl Rd', 'Holiday Is Rd'],
  ['Ocean Hwy S', 'Ocean Hgwy S', 'Ocean Hw S', 'Ocean Higway S'],
  ['N River Cir W', 'N River Circel W'],
  ['E 400 S', 'E 4th South', 'East 400 South'],
  ['NFS Rd 211', 'Forest Service Rd 211', 'NF-211', 'FR 211', 'National Forest Development Rd 211'],
  [
    'Martin Luther King Jr Blvd',
    'MLK Blvd',
    'M.L.K. Jr Blvd',
    'M L King Blvd',
    'ML King Jr. Blvd',
    'Rev Dr Martin Luther King Blvd',
    'Dr King Blvd',
    'Doctor King, Jr. Boulevard',
  ],
  ['Dr Martin Luther King Jr St N', 'MLK St N', 'Doctor Martin Luther King Junior Street North'],
  ['John F Kennedy Pkwy', 'JFK Pkwy', 'John Kennedy Pkwy'],
  ['Cesar E Chavez Ave', 'Cesar Chavez Ave', 'Cesar E. Chavez Avenue'],
  ['Robert E Lee Blvd', 'Robert Lee Blvd', 'Robert E. Lee Boulevard'],
  ['Harry S Truman Dr', 'Harry Truman Dr', 'Harry S. Truman Drive'],
  ['Ronald Reagan Way', 'Ronald W Reagan Way'],
  ['Robert F Kennedy Dr', 'Robert Kennedy Dr', 'RFK Dr'],
  ['Colonel Glenn Rd', 'Col Glenn Rd', 'Col. Glenn Road'],
  ['Sgt York Way', 'Sergeant York Way'],
  ['Gen Booth Blvd', 'General Booth Blvd'],
  ['Wm Penn Hwy', 'William Penn Hwy', 'Wm. Penn Highway'],
  ['No Name Rd', 'No Name Road'],
  ['Kapiolani Blvd', 'Kapiʻolani Blvd', 'Kapi’olani Blvd'],
  ['The Alameda', 'Alameda', 'the alamedda'],
  ['The Oaks Dr', 'Oaks Drive', 'The Oaks'],
  ['The Plaza', 'The Plz'],
  ['Strand Ave', 'The Strand', 'The Strand Ave'],
] as const;

describe('a street is found however its name is written', () => {
  let directory = '';
  let files: AddressFiles;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'tract-context-'));
    const streets = STREETS.map(([street]) => street);
    files = streetsOf('48', '78701', 'Sampleton', streets, directory);
  });
  afterAll(() => {
    release(files);
    rmSync(directory, { recursive: true, force: true });
  });

  test.each(STREETS)('%s', (street, ...spellings) => {
    for (const spelling of spellings) {
      expect(streetOf(files, `12 ${spelling}, Sampleton, TX 78701`), spelling).toBe(`12 ${street}`);
      expect(streetOf(files, `12 ${spelling} Sampleton TX`.toLowerCase()), spelling).toBe(`12 ${street}`);
    }
  });

  test.each([
    '12 RM 62',
    '12 FM 196 W',
    '12 CR 55',
    '12 Hwy C',
    '12 Horse Rd',
    '12 King Blvd',
    '12 Dr King Sample Blvd',
  ])('%s is none of them, since a wrong tract is worse than none', (address) => {
    expect(streetOf(files, `${address}, Sampleton, TX 78701`)).toBe('no match');
  });
});

test.each([
  ['12 Studhorse Road', '12 Studhorse Rd'],
  ['12 stud horse rd', '12 Stud Horse Rd'],
  ['12 Stud-Horse Rd', '12 Stud Horse Rd'],
  ['12 North Wood Dr', '12 N Wood Dr'],
  ['12 Northwood Drive', '12 Northwood Dr'],
  ['12 Mountainview Road', '12 Mountainview Rd'],
  // Nothing says which of them is meant.
  ['12 Stud Horse', 'tie'],
  // What people abbreviate, or write in figures, says nothing either.
  ['12 First St', 'tie'],
  ['12 Saint Johns Rd', 'tie'],
])('of streets whose names differ by a space, the one is taken that is spelled so: %s is %s', (address, expected) => {
  const streets = ['Stud Horse Rd', 'Studhorse Rd', 'N Wood Dr', 'Northwood Dr', 'Mountain View Rd', 'Mountainview Rd'];
  streets.push('1st St', 'First St', 'St Johns Rd', 'Saint Johns Rd');
  const files = streetsOf('48', '78701', 'Sampleton', streets);
  expect(streetOf(files, `${address}, Sampleton, TX 78701`)).toBe(expected);
});

test.each([
  ['Park Side Rd', '12 Parkside Rd', 100],
  ['Parkside Rd', '12 Park Side Rd', 100],
  ['Parkside Rd', '12 Park Side', 95],
  ['Wayside Dr', '12 Way Side Drive', 100],
  ['Oval Wood Ln', '12 Ovalwood Ln', 100],
  ['Loop Head Ct', '12 Loophead Ct', 100],
  ['N Pike Creek Rd', '12 N Pikecreek Rd', 100],
  ['Lake Park', '12 Lakepark', 100],
  // These do not differ in a space.
  ['Pikesville Rd', '12 Pikeville Rd', 87],
  ['Wyne Valley Rd', '12 Wayne Valley Rd', 87],
  ['Church Ln', '12 N Churcch Ln', 76],
])('kinds of street in a name are words like others: %s is found as %s, with the score %i', (street, typed, score) => {
  const files = streetsOf('48', '78701', 'Sampleton', [street]);
  expect(matchAddress(files, () => -1, `${typed}, Sampleton, TX 78701`)).toMatchObject({ score });
});

test.each([
  ['Park Ave', 'Parl Ave', 84],
  ['Park Ave', 'Paark Avenue', 87],
  ['N Park St', 'North Parkk St', 87],
  ['Hyde Park Blvd', 'Hyde Parkk Blvd', 87],
  ['Loop Rd', 'Loob Rd', 84],
  ['Pike Creek Rd', 'Pik Creek Rd', 87],
])('a typo in them is one like others: %s is found as %s, with the score %i', (street, typed, score) => {
  const files = streetsOf('48', '78701', 'Sampleton', [street]);
  expect(matchAddress(files, () => -1, `12 ${typed}, Sampleton, TX 78701`)).toMatchObject({ score });
});

test.each([
  ['12 Mark Ave', '12 Mark Ave'],
  ['12 Parl Ave', 'tie'],
  ['12 Parl St', 'no match'],
  ['12 Hude Parl Blvd', 'no match'],
])('nor do two typos or another name pass for one: %s is %s', (typed, expected) => {
  const files = streetsOf('48', '78701', 'Sampleton', ['Park Ave', 'Mark Ave', 'Pearl Ave', 'Hyde Park Blvd']);
  expect(streetOf(files, `${typed}, Sampleton, TX 78701`)).toBe(expected);
});

test('a road beside a highway is the highway itself only where no street is called so', () => {
  const files = streetsOf('48', '78701', 'Sampleton', ['I- 37', 'Main St']);
  expect(streetOf(files, '12 I-37 Frontage Rd, Sampleton, TX 78701')).toBe('no match');
  expect(streetOf(files, '12 I-37 Frontage, Sampleton, TX 78701')).toBe('12 I- 37');
});

test('a direction is no part of a name that differs in a space', () => {
  const files = streetsOf('48', '78701', 'Sampleton', ['N Church St', 'Church Trl']);
  expect(streetOf(files, '12 N Church Ter, Sampleton, TX 78701')).toBe('12 N Church St');
});

test('a letter before a name that begins with a short word is a direction, and no typo', () => {
  const files = streetsOf('48', '78701', 'Sampleton', ['El Sample', 'S El Sample']);
  expect(streetOf(files, '12 SEl Sample, Sampleton, TX 78701')).toBe('12 S El Sample');
});

test('a number behind NE is a street’s, unless nothing else but a highway of Nebraska is there', () => {
  const files = streetsOf('31', '68001', 'Sampleton', ['NE 7th Rd', 'State Hwy 7', 'State Hwy 9']);
  expect(streetOf(files, '12 NE 7 Rd, Sampleton, NE 68001')).toBe('12 NE 7th Rd');
  expect(streetOf(files, '12 NE 9 Hwy, Sampleton, NE 68001')).toBe('12 State Hwy 9');
  expect(streetOf(files, '12 NE 7, Sampleton, NE 68001')).toBe('12 State Hwy 7');
});

test('a numbered road is the county’s or the state’s only where no road has just its number', () => {
  const block = { zip: '10001', prefix: '', from: 1, to: 199 };
  const files = openBlocks(
    ['Road 5', 'County Road 5', 'County Road 7', 'State Hwy 7'].map((street) => ({ ...block, street })),
  );
  expect(streetOf(files, '12 Rd 5, NY 10001')).toBe('12 Road 5');
  expect(streetOf(files, '12 Rd 7, NY 10001')).toBe('tie');
  expect(streetOf(files, '12 Rd 57, NY 10001')).toBe('no match');
});

describe('a house number', () => {
  const main = () =>
    streetsOf('48', '78701', 'Sampleton', ['Main St', 'Oaks Dr', 'Seven Oaks Dr', 'Broadway', 'Sampleton St']);

  test.each([
    ['#120 Main St, Sampleton, TX', '120 Main St'],
    ['# 120 Main St Sampleton TX 78701', '120 Main St'],
    ['No. 120 Main St, Sampleton, TX', '120 Main St'],
    ['#4 120 Main St, Sampleton, TX', '120 Main St'],
    ['120, Main St, Sampleton, TX', '120 Main St'],
    ['120, Broadway, Sampleton, TX', '120 Broadway'],
    ['120\tBroadway\tSampleton\tTX', '120 Broadway'],
    ['120, Sampleton, TX', 'no match'],
    ['One Main St, Sampleton, TX', '1 Main St'],
    ['two main street sampleton tx 78701', '2 Main St'],
    ['Sample Clinic, Twelve Main St, Sampleton, TX', '12 Main St'],
    ['One Sample Plaza, 120 Main St, Sampleton, TX', '120 Main St'],
    ['#3 Sample Plaza, 120 Main St, Sampleton, TX', '120 Main St'],
    ['7 Oaks Dr, Sampleton, TX', '7 Oaks Dr'],
  ])('%s: %s', (address, expected) => {
    expect(streetOf(main(), address)).toBe(expected);
  });

  test.each([
    ['# 28O Main St', '28O Main St'],
    ['Apt 4 28O Main St', '28O Main St'],
    ['No. 28O Main St', '28O Main St'],
    ['Apt 4 150N Main St', '150N Main St'],
  ])('is read the same behind a sign or a unit: %s', (behind, alone) => {
    const read = (street: string) => {
      const parsed = parseAddress(`${street}, Sampleton, TX`);
      return parsed.kind === 'address' && [parsed.readings, parsed.elsewhere];
    };
    expect(read(behind)).toEqual(read(alone));
  });

  test.each([
    '150 # 1 Broadway',
    '150 Apt 1 Broadway',
    '150 Ste 1 Broadway, Sampleton, TX',
    '150 Broadway Apt4B',
    '150 Broadway STE-3',
  ])('is followed by a unit, and that by a street of one word: %s', (address) => {
    expect(parseAddress(address)).toMatchObject({ kind: 'address', readings: [{ words: ['BROADWAY'] }] });
  });

  test.each([
    ['15 Mile Rd', 'no match'],
    ['12 15 Mile Rd', '12 15 Mile Rd'],
    ['8 Mile Rd', '8 Mile Rd'],
    ['2 S East Rd', '2 S East Rd'],
    ['2 Ave B', '2 Ave B'],
  ])('in figures is not taken from a street that is there: %s is %s', (typed, expected) => {
    const streets = ['Mile Rd', '15 Mile Rd', 'S East Rd', '2nd Ave', '2nd St S', 'Ave B'];
    const files = streetsOf('48', '78701', 'Sampleton', streets);
    expect(streetOf(files, `${typed}, Sampleton, TX 78701`)).toBe(expected);
  });

  test('in letters is not taken from a street that has it in its name', () => {
    expect(streetOf(main(), 'Seven Oaks Dr, Sampleton, TX')).toBe('no match');
    expect(streetOf(main(), '9 Seven Oaks Dr, Sampleton, TX')).toBe('9 Seven Oaks Dr');
  });
});

describe('a name before the number', () => {
  const files = () => streetsOf('48', '78701', 'Sampleton', ['Main St', 'Sampleton Rd', 'Elm Rd', 'Samplewood Ave']);

  test.each([
    'Jane Sample 120 Main St, Sampleton, TX 78701',
    'sample hospital 120 main st sampleton tx',
    'Jane Sample MD 120 Main St, Sampleton, TX',
    'University of Iowa 120 Main St, Sampleton, TX',
    'Sample County Health Dept 120 Main St Sampleton TX',
    'Sample & Sons 120 Main St, Sampleton, TX',
    'One Sample Clinic 120 Main St, Sampleton, TX',
    'Sample Clinic, Sample Hall 120 Main St, Sampleton, TX',
    'Sample Clinic at 120 1/2 Main St, Sampleton, TX',
    'Jane Sample 120 & 122 Main St, Sampleton, TX',
    'Jane Sample 120 Main St Apt 4, Sampleton, TX 78701, (512) 555-0100',
    'Jane Sample 120 Mian St, Sampleton, TX 78701',
    'Motel 6 120 Main St, Sampleton, TX 78701',
    'Super 8 Motel 120 Main St, Sampleton, TX',
    'Sample Apts Bldg 3 120 Main St, Sampleton, TX 78701',
    'Bldg 3 Sample Apts 120 Main St, Sampleton, TX 78701',
    'Unit 4 Building 3 120 Main St, Sampleton, TX 78701',
    'Sample Towers Apt 5B 120 Main St, Sampleton, TX 78701',
    'Sample Towers #5 120 Main St, Sampleton, TX 78701',
    'Sample Towers #5B 120 Main St, Sampleton, TX 78701',
    'Sample Towers Apt #5B 120 Main St, Sampleton, TX 78701',
    'Jane Sample (72) 120 Main St, Sampleton, TX 78701',
    'MRN 123456 120 Main St Sampleton TX 78701',
    'Gate code 1234# 120 Main St, Sampleton, TX 78701',
  ])('is left out of %j', (address) => {
    expect(streetOf(files(), address)).toBe('120 Main St');
  });

  test.each([
    'Highway 12 45 Main St',
    'Highway 12 Main St',
    'Old Highway 12 Main St',
    'Route 9 100 Main St',
    'US 12 Main St',
    'Texas 12 Main St',
    'TX 12 Main St',
    'Elm Rd & TX 12 Main St',
    'County Road 5 12 Main St',
    'County Road B 12 Main St',
    'County Road 5 12',
    'Routes 5 & 20 Main St',
    '5th 100 Main St',
    'Fifth 100 Main St',
    'Elm St 100 Main St',
    'Elm Rd & 12 Main St',
    'Suite 12 Main St',
    'Jane Sample Apt 12 Main St',
    'Sample Building 5 Main St',
    'Jane Sample #12 Main St',
    'Rt #5 120 Main St',
    'Elm Rd #5 120 Main St',
    'Jane Sample 5B 120 Main St',
    'Exit 12 Main St',
    'North 12 Main St',
    'Jane Sample 512 555 0100 Main St',
    'Jane Sample 555 1100 Main St',
    'Jane Sample 12 Elm St 120 Main St',
    'Motel 6 120 Main',
    'Sample Bldg 3 Elm Rd 120 Main St',
    'Sample Clinic, Elm 45 Main St, 5000 Main St',
  ])('%s is none of a house, since a wrong tract is worse than none', (street) => {
    expect(streetOf(files(), `${street}, Sampleton, TX 78701`)).toBe('no match');
    expect(streetOf(files(), `${street} TX 78701`)).toBe('no match');
  });

  test('does not stand up to much else that is amiss', () => {
    expect(streetOf(files(), '120 Samplwood Blvd, TX 78701')).toBe('120 Samplewood Ave');
    expect(streetOf(files(), 'Jane Sample 120 Samplwood Blvd, TX 78701')).toBe('no match');
  });

  test('is not the street’s, with the city behind the number', () => {
    expect(streetOf(files(), 'Elm 12 Sampleton TX 78701')).toBe('no match');
    expect(streetOf(files(), 'Elm 12 Sampleton, TX')).toBe('no match');
    expect(streetOf(files(), 'Elm Clinic 12 Sampleton Rd, TX 78701')).toBe('12 Sampleton Rd');
  });
});

describe('of several house numbers', () => {
  const files = () => streetsOf('48', '78701', 'Sampleton', ['Main St', '41st St', '12th Ave', 'Sampleton Rd']);

  test.each([
    '100 & 102 Main St, Sampleton, TX',
    '100 and 102 Main St Sampleton TX',
    '100 + 102 Main St, Sampleton, TX 78701',
    '100 & 102 & 104 Main St, Sampleton, TX',
    '100-102 Main St, Sampleton, TX',
    '100/102 Main St, Sampleton, TX',
    '100 / 102 Main St, Sampleton, TX',
    '100A & 100B Main St, Sampleton, TX',
    'Sample Clinic, 100 and 102 Main St, Sampleton, TX',
  ])('the first decides: %s', (address) => {
    expect(streetOf(files(), address)).toBe('100 Main St');
  });

  test('a house has two where streets of these numbers do not meet', () => {
    expect(streetOf(files(), '5 & 7 Main St, Sampleton, TX')).toBe('5 Main St');
    expect(streetOf(files(), '5th & 7 Main St, Sampleton, TX')).toBe('no match');
    expect(streetOf(files(), '5 & 7th Main St, Sampleton, TX')).toBe('no match');
    expect(streetOf(files(), '41 & 12 Sampleton, TX')).toBe('no match');
  });
});

describe('a telephone number behind the address', () => {
  const files = () => streetsOf('48', '78701', 'Sampleton', ['Main St', 'State Hwy 302']);

  test.each([
    '(512) 555-0100',
    '(512)555-0100',
    '512-555-0100',
    '512/555-0100',
    ', 512.555.0100',
    '5125550100',
    '+1 512 555 0100',
    '1-512-555-0100',
    'tel 512.555.0100',
    ', Phone: (512) 555-0100',
    'Ph. # 512 555-0100',
    ', Tel. 512-555-0100, Fax 512-555-0101',
    '512-555-0100 / 512-555-0101',
    'USA, 512-555-0100',
  ])('is left out: %s', (telephone) => {
    expect(streetOf(files(), `120 Main St, Sampleton, TX 78701 ${telephone}`)).toBe('120 Main St');
    expect(streetOf(files(), `120 Main St Sampleton TX ${telephone}`)).toBe('120 Main St');
  });

  test('is not made of a ZIP, nor of the number of a highway', () => {
    expect(streetOf(files(), '120 Main St 78701 0100')).toBe('120 Main St');
    expect(streetOf(files(), '120 State Hwy 302 78701-0100')).toBe('120 State Hwy 302');
    expect(streetOf(files(), '120 State Hwy 302 78701 0100')).toBe('120 State Hwy 302');
  });
});

describe('a street with an article', () => {
  test('is not taken for another one, of which only `The` is the same', () => {
    const files = streetsOf('48', '78701', 'Sampleton', ['The Plaza', 'The Circle']);
    expect(streetOf(files, '12 The Circle, Sampleton, TX 78701')).toBe('12 The Circle');
    expect(streetOf(files, '12 The Terrace, Sampleton, TX 78701')).toBe('no match');
  });

  test('is as good as one of its name without, where neither kind nor article is given', () => {
    const files = streetsOf('48', '78701', 'Sampleton', ['The Alameda', 'Alameda Blvd']);
    expect(streetOf(files, '12 Alameda, Sampleton, TX 78701')).toBe('tie');
    expect(streetOf(files, '12 Alameda St, Sampleton, TX 78701')).toBe('tie');
    expect(streetOf(files, '12 The Alameda, Sampleton, TX 78701')).toBe('12 The Alameda');
    expect(streetOf(files, '12 Alameda Blvd, Sampleton, TX 78701')).toBe('12 Alameda Blvd');
  });
});

describe('a ZIP that lost its zero', () => {
  test.each([
    '120 Main St, Cambridge, MA 2139',
    '120 Main St Cambridge MA 2139',
    '120 Main St, Cambridge, Massachusetts, 2139',
    '120 Main St, MA 2139-4307',
    '120 Main St, Elsewhere, MA 2139-12',
    '120 Main St, Elsewhere, MA 21394307',
    '120 Main St, Elsewhere, MA 2139.0',
    '120 Main St, Elsewhere, MA 02139.0',
  ])('%s', (address) => {
    const files = streetsOf('25', '02139', 'Cambridge', ['Main St']);
    expect(streetOf(files, address)).toBe('120 Main St');
  });

  test('is none in a state whose ZIPs begin with another figure', () => {
    const files = streetsOf('48', '02139', 'Sampleton', ['Main St']);
    expect(streetOf(files, '120 Main St, Elsewhere, TX 2139')).toBe('no match');
  });
});
