import { NPPES_HEADER, type NppesCells, nppesLine } from '../../bench/providers/nppes-layout.js';
import { impossibleNpi } from '../../src/load/synthetic/npi.js';
import { fakeFile } from './input-file.js';

/** NPIs with wrong check digits, which no provider has. */
const NPIS = Array.from({ length: 800 }, (_, index) => impossibleNpi(index));
export const npiAt = (index: number): string => NPIS[index] ?? '';

/** A family physician in Minnesota as NPPES writes one; `cells` override the defaults. */
export const physician = (cells: NppesCells): NppesCells => ({
  'Entity Type Code': '1',
  'Provider Last Name (Legal Name)': 'DEMO-WALKER',
  'Provider First Name': 'SYNTHIA',
  'Provider Middle Name': 'Q',
  'Provider Credential Text': 'M.D.',
  'Provider First Line Business Practice Location Address': '12 N SAMPLEWOOD AVE',
  'Provider Second Line Business Practice Location Address': 'SUITE 300',
  'Provider Business Practice Location Address City Name': 'SAMPLETON',
  'Provider Business Practice Location Address State Name': 'MN',
  'Provider Business Practice Location Address Postal Code': '550011234',
  'Provider Business Practice Location Address Country Code (If outside U.S.)': 'US',
  'Provider Business Practice Location Address Telephone Number': '6125550100',
  'Provider Sex Code': 'F',
  'Healthcare Provider Taxonomy Code_1': '207Q00000X',
  'Healthcare Provider Primary Taxonomy Switch_1': 'Y',
  ...cells,
});

/** An organization at the same address; `cells` override the defaults. */
export const clinic = (cells: NppesCells): NppesCells =>
  physician({
    'Entity Type Code': '2',
    'Provider Organization Name (Legal Business Name)': 'SYNTHETIC CLINIC OF SAMPLETON, LLC',
    'Provider Last Name (Legal Name)': '',
    'Provider First Name': '',
    'Provider Middle Name': '',
    'Provider Credential Text': '',
    'Provider Sex Code': '',
    'Healthcare Provider Taxonomy Code_1': '261QP2300X',
    ...cells,
  });

/** The text of a registry file with these rows. */
export const registryText = (...rows: readonly NppesCells[]): string => NPPES_HEADER + rows.map(nppesLine).join('');

export const registryFile = (text: string, name = 'npidata_pfile_20050523-20240107.csv') =>
  fakeFile(`raw/nppes/${name}`, text);

const PLACE = 'Provider Secondary Practice Location Address';

/** The text of a file of secondary practice locations, with the official columns. */
export function locationsText(...rows: readonly (readonly string[])[]): string {
  const header = [
    'NPI',
    `${PLACE}- Address Line 1`,
    `${PLACE}-  Address Line 2`,
    `${PLACE} - City Name`,
    `${PLACE} - State Name`,
    `${PLACE} - Postal Code`,
    `${PLACE} - Country Code (If outside U.S.)`,
    `${PLACE} - Telephone Number`,
    `${PLACE} - Telephone Extension`,
    'Provider Practice Location Address - Fax Number',
  ];
  return [header, ...rows.map((row) => [...row, ...Array<string>(header.length - row.length).fill('')])]
    .map((row) => `${row.map((cell) => `"${cell}"`).join(',')}\n`)
    .join('');
}
