import { closeSync, openSync, writeSync } from 'node:fs';
import { impossibleNpi } from '../../src/load/synthetic/npi.js';
import { createRandom, type Random } from '../../src/load/synthetic/random.js';
import { NPPES_HEADER, type NppesCells, nppesLine } from './nppes-layout.js';

/** The first four are primary care; the other three quarters of the rows have other taxonomies, as in the registry. */
const TAXONOMIES = [
  ...['207Q00000X', '207R00000X', '363LF0000X', '363A00000X'],
  ...['1041C0700X', '225100000X', '183500000X', '122300000X', '163W00000X', '104100000X'],
  ...['2084P0800X', '207L00000X', '235Z00000X', '111N00000X', '101YM0800X', '106S00000X'],
];
const CLINIC_TAXONOMIES = ['261QP2300X', '261QU0200X', '332B00000X', '251E00000X', '314000000X', '3336C0003X'];

/** As in the registry. A deactivated row holds only an NPI and a date. */
const DEACTIVATED_SHARE = 0.08;
const ORGANIZATION_SHARE = 0.22;

const GIVEN = 'SYNTHIA DEMETRIA TESTINA PROTOS SPECIMO MODELIO FABRICA'.split(' ');
const FAMILIES = "DEMO-WALKER MOCK-NGUYEN SAMPLE-ORTIZ O'FAUX MCMODEL TRIAL-KIM".split(' ');
const CITIES = ['SAMPLETON', 'NEW MOCKFORD', 'LAKE DEMOVILLE', 'ST. SPECIMEN'];

/** A state and ZIP for providers' addresses. */
export interface Postal {
  readonly state: string;
  readonly zip: string;
}

/**
 * Writes a file in the layout of an NPPES dissemination file with `rowCount` rows, about 1.1 KB each as in the registry.
 * Its NPIs cannot be real ones, and equal arguments give equal bytes. Returns the size in bytes.
 */
export function writeNppesFile(path: string, rowCount: number, places: readonly Postal[]): number {
  const random = createRandom(1, 'nppes', 'rows');
  const fd = openSync(path, 'w');
  let sizeBytes = 0;
  const flush = (text: string): void => {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.byteLength; ) done += writeSync(fd, bytes, done);
    sizeBytes += bytes.byteLength;
  };
  try {
    let lines = NPPES_HEADER;
    for (let row = 0; row < rowCount; row++) {
      lines += nppesLine(rowCells(row, places, random));
      if (lines.length < 2 ** 20) continue;
      flush(lines);
      lines = '';
    }
    flush(lines);
  } finally {
    closeSync(fd);
  }
  return sizeBytes;
}

function rowCells(row: number, places: readonly Postal[], random: Random): NppesCells {
  // A stride of 9 makes all NPIs invalid in the same way, so that the loader's set of NPIs takes only 25 MB.
  const npi = impossibleNpi(9 * row);
  if (random.next() < DEACTIVATED_SHARE) return { NPI: npi, 'NPI Deactivation Date': '03/15/2006' };
  const isOrganization = random.next() < ORGANIZATION_SHARE;
  const taxonomy = pick(isOrganization ? CLINIC_TAXONOMIES : TAXONOMIES, random);
  const second = pick(TAXONOMIES, random);
  return {
    NPI: npi,
    'Entity Type Code': isOrganization ? '2' : '1',
    ...(isOrganization ? organization(row) : person(random)),
    ...address('Mailing', places, random),
    ...address('Practice Location', places, random),
    'Provider Enumeration Date': '05/23/2005',
    'Last Update Date': '07/08/2007',
    'Healthcare Provider Taxonomy Code_1': second,
    'Provider License Number_1': String(row % 100_000),
    'Healthcare Provider Primary Taxonomy Switch_1': 'N',
    'Healthcare Provider Taxonomy Code_2': taxonomy,
    'Healthcare Provider Primary Taxonomy Switch_2': 'Y',
  };
}

function organization(row: number): NppesCells {
  return {
    'Employer Identification Number (EIN)': '<UNAVAIL>',
    'Provider Organization Name (Legal Business Name)': `SYNTHETIC CLINIC OF DEMO COUNTY ${row}, LLC`,
    'Authorized Official Last Name': 'MOCK',
    'Is Organization Subpart': 'N',
  };
}

function person(random: Random): NppesCells {
  return {
    'Provider Last Name (Legal Name)': pick(FAMILIES, random),
    'Provider First Name': pick(GIVEN, random),
    'Provider Middle Name': 'Q',
    'Provider Credential Text': pick(['M.D.', 'MD', 'FNP-C', 'PA-C'], random),
    'Provider Sex Code': pick(['F', 'M'], random),
    'Is Sole Proprietor': 'N',
  };
}

function address(kind: 'Mailing' | 'Practice Location', places: readonly Postal[], random: Random): NppesCells {
  const { state, zip } = pick(places, random);
  const suffix = 1000 + Math.floor(random.next() * 9000);
  return {
    [`Provider First Line Business ${kind} Address`]: `${1 + Math.floor(random.next() * 9999)} N SAMPLEWOOD AVENUE`,
    [`Provider Second Line Business ${kind} Address`]: random.next() < 0.3 ? 'SUITE 300' : '',
    [`Provider Business ${kind} Address City Name`]: pick(CITIES, random),
    [`Provider Business ${kind} Address State Name`]: state,
    [`Provider Business ${kind} Address Postal Code`]: `${zip}${suffix}`,
    [`Provider Business ${kind} Address Country Code (If outside U.S.)`]: 'US',
    [`Provider Business ${kind} Address Telephone Number`]: `612555010${suffix % 10}`,
  };
}

function pick<T>(values: readonly T[], random: Random): T {
  const value = values[Math.floor(random.next() * values.length)];
  if (value === undefined) throw new RangeError('nothing to pick from');
  return value;
}
