import { expect, test } from 'vitest';
import { afterHighway, HIGHWAY_KEYS, type HighwayKind, readHighway } from '../../../../src/core/streets/highways.js';

const keyOf = (text: string): string | undefined => readHighway(text.split(' '))?.name;

test.each<[HighwayKind, string]>([
  ['us', 'US 5, US HWY 5, U S 5, U S HWY 5, UNITED STATES HWY 5, USH 5, USHWY 5, US5'],
  ['interstate', 'INTERSTATE 5, INTERSTATE HWY 5, I 5, I5, IH 5, IH5'],
  ['state', 'STATE RTE 5, ST HWY 5, STATE TRUNK HWY 5, ST TRUNK HWY 5, SR 5, SH 5, STH 5, SRT 5, STATEHWY 5'],
  ['state', 'NYS 5, NYS RTE 5, NEW YORK 5, NY RTE 5, DE 5, SR5'],
  [
    'county',
    'CO RD 5, COUNTY TRUNK HWY 5, CO TRUNK HWY 5, CTY TRUNK HWY 5, COUNTY STATE AID HWY 5, CO STATE AID HWY 5',
  ],
  [
    'county',
    'COUNTY ST AID HWY 5, CO ST AID HWY 5, COUNTY RD 5, COUNTY 5, CNTY RD 5, CTY RD 5, CR 5, CTH 5, CH 5, CSAH 5',
  ],
  ['farm', 'FARM TO MARKET RD 5, RANCH TO MARKET 5, F M 5, R M 5, FM 5, RM 5, RR 5, FARM RD 5, RANCH RD 5, FM5'],
  ['forest', 'NATIONAL FOREST DEVELOPMENT RD 5, NATL FOREST DEV RD 5, NATIONAL FOREST RD 5, NATL FOREST RD 5'],
  ['forest', 'NATIONAL FOREST DEV RD 5, NAT FOR DEV RD 5, US FOREST SERVICE RD 5, US FOREST SVC RD 5'],
  ['forest', 'FOREST SERVICE RD 5, FOREST SVC RD 5, FOREST RD 5, NF 5, NFS 5, USFS 5, FS 5, FSR 5, FR 5'],
  ['township', 'TOWNSHIP RD 5, TWP RD 5, TR 5'],
  ['private', 'PRIVATE RD 5, PVT RD 5, PR 5'],
  ['parish', 'PARISH RD 5, PAR RD 5'],
  ['tribal', 'BUREAU OF INDIAN AFFAIRS RD 5, BIA 5, INDIAN SERVICE RTE 5, INDIAN SVC RTE 5, INDIAN RTE 5, TRIBAL RD 5'],
  ['tribal', 'NAVAJO SERVICE RTE 5, NAVAJO SVC RTE 5, NAVAJO RTE 5'],
  ['loop', 'STATE LOOP 5, LOOP 5'],
  ['spur', 'STATE SPUR 5, SPUR 5'],
  ['any', 'HWY 5, HIGHWAY 5, HIWAY 5, HWAY 5, ROUTE 5, RTE 5, RT 5'],
])('a highway of kind %s is read from each of its spellings: %s', (kind, texts) => {
  for (const text of texts.split(', ')) expect([text, keyOf(text)]).toEqual([text, `${HIGHWAY_KEYS[kind]}5`]);
});

test.each([
  ['BUSINESS', 'BUSINESS BUS BUSN'],
  ['ALTERNATE', 'ALTERNATE ALT ALTN'],
  ['BYPASS', 'BYPASS BYP'],
  ['HISTORIC', 'HISTORIC HIST HST'],
  ['SCENIC', 'SCENIC SCN'],
  ['CONNECTOR', 'CONNECTOR CONN CON'],
  ['OLD', 'OLD'],
  ['TRUCK', 'TRUCK'],
  ['CUTOFF', 'CUTOFF'],
])('a highway’s %s is the same before and after its number, in each spelling: %s', (whole, words) => {
  for (const word of words.split(' ')) {
    expect([word, keyOf(`${word} US HWY 5`), afterHighway([word])]).toEqual([word, `USHIGHWAY5${whole}`, whole]);
  }
});
