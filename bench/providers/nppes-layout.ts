/** The 330 columns of an NPPES dissemination file (version 2), in order. */
export const NPPES_COLUMNS: readonly string[] = [
  'NPI',
  'Entity Type Code',
  'Replacement NPI',
  'Employer Identification Number (EIN)',
  'Provider Organization Name (Legal Business Name)',
  'Provider Last Name (Legal Name)',
  'Provider First Name',
  'Provider Middle Name',
  'Provider Name Prefix Text',
  'Provider Name Suffix Text',
  'Provider Credential Text',
  'Provider Other Organization Name',
  'Provider Other Organization Name Type Code',
  'Provider Other Last Name',
  'Provider Other First Name',
  'Provider Other Middle Name',
  'Provider Other Name Prefix Text',
  'Provider Other Name Suffix Text',
  'Provider Other Credential Text',
  'Provider Other Last Name Type Code',
  ...addressColumns('Mailing'),
  ...addressColumns('Practice Location'),
  'Provider Enumeration Date',
  'Last Update Date',
  'NPI Deactivation Reason Code',
  'NPI Deactivation Date',
  'NPI Reactivation Date',
  'Provider Sex Code',
  'Authorized Official Last Name',
  'Authorized Official First Name',
  'Authorized Official Middle Name',
  'Authorized Official Title or Position',
  'Authorized Official Telephone Number',
  ...numbered(15, [
    'Healthcare Provider Taxonomy Code',
    'Provider License Number',
    'Provider License Number State Code',
    'Healthcare Provider Primary Taxonomy Switch',
  ]),
  ...numbered(50, [
    'Other Provider Identifier',
    'Other Provider Identifier Type Code',
    'Other Provider Identifier State',
    'Other Provider Identifier Issuer',
  ]),
  'Is Sole Proprietor',
  'Is Organization Subpart',
  'Parent Organization LBN',
  'Parent Organization TIN',
  'Authorized Official Name Prefix Text',
  'Authorized Official Name Suffix Text',
  'Authorized Official Credential Text',
  ...numbered(15, ['Healthcare Provider Taxonomy Group']),
  'Certification Date',
];

function addressColumns(kind: 'Mailing' | 'Practice Location'): string[] {
  return [
    `Provider First Line Business ${kind} Address`,
    `Provider Second Line Business ${kind} Address`,
    `Provider Business ${kind} Address City Name`,
    `Provider Business ${kind} Address State Name`,
    `Provider Business ${kind} Address Postal Code`,
    `Provider Business ${kind} Address Country Code (If outside U.S.)`,
    `Provider Business ${kind} Address Telephone Number`,
    `Provider Business ${kind} Address Fax Number`,
  ];
}

function numbered(count: number, names: readonly string[]): string[] {
  return Array.from({ length: count }, (_, index) => names.map((name) => `${name}_${index + 1}`)).flat();
}

/** A row's cells by column name; cells that are not given are empty. */
export type NppesCells = Readonly<Record<string, string>>;

const POSITIONS = new Map(NPPES_COLUMNS.map((name, position) => [name, position]));

/** Formats a row as NPPES does: every cell quoted, quotes within cells doubled. Throws for an unknown column. */
export function nppesLine(cells: NppesCells): string {
  const row = new Array<string>(NPPES_COLUMNS.length).fill('""');
  for (const [name, value] of Object.entries(cells)) {
    const position = POSITIONS.get(name);
    if (position === undefined) throw new Error(`NPPES has no column ${name}`);
    row[position] = `"${value.replaceAll('"', '""')}"`;
  }
  return `${row.join(',')}\n`;
}

/** The header line. */
export const NPPES_HEADER = `${NPPES_COLUMNS.map((name) => `"${name}"`).join(',')}\n`;
