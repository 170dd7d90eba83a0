import type { ByteRow } from '../../files/byte-rows.js';
import { type ColumnNames, optionalColumn, requireColumns } from '../columns.js';
import type { PracticeCells } from '../provider-practice.js';

/** The registry's columns that a provider is built from. A file that lacks one of them is refused. */
const REQUIRED = {
  npi: ['NPI'],
  entityType: ['Entity Type Code'],
  organization: ['Provider Organization Name (Legal Business Name)'],
  last: ['Provider Last Name (Legal Name)'],
  first: ['Provider First Name'],
  middle: ['Provider Middle Name'],
  suffix: ['Provider Name Suffix Text'],
  credential: ['Provider Credential Text'],
  line1: ['Provider First Line Business Practice Location Address'],
  line2: ['Provider Second Line Business Practice Location Address'],
  city: ['Provider Business Practice Location Address City Name'],
  state: ['Provider Business Practice Location Address State Name'],
  zip: ['Provider Business Practice Location Address Postal Code'],
  country: ['Provider Business Practice Location Address Country Code (If outside U.S.)'],
  phone: ['Provider Business Practice Location Address Telephone Number'],
  deactivated: ['NPI Deactivation Date'],
  reactivated: ['NPI Reactivation Date'],
  // Called gender up to 2025.
  sex: ['Provider Sex Code', 'Provider Gender Code'],
} as const satisfies Record<string, ColumnNames>;

const FIRST_TAXONOMY = {
  code: ['Healthcare Provider Taxonomy Code_1'],
  primary: ['Healthcare Provider Primary Taxonomy Switch_1'],
} as const satisfies Record<string, ColumnNames>;

export const REGISTRY_COLUMNS: Readonly<Record<string, ColumnNames>> = { ...REQUIRED, ...FIRST_TAXONOMY };

/** The greatest number of taxonomies that a provider may have. */
const TAXONOMIES = 15;

/** The indexes of a registry file's columns. */
export type RegistryColumns = Readonly<Record<keyof typeof REQUIRED, number>> & {
  /** In order, each taxonomy's code, and the switch that says whether it is the primary one. */
  readonly taxonomies: readonly { readonly code: number; readonly primary: number }[];
};

/** Finds the columns by their names. Throws `InputError` naming the file and the missing columns. */
export function registryColumns(label: string, header: readonly string[]): RegistryColumns {
  // All of them at once, so that the error names every one that is missing.
  const { code, primary, ...required } = requireColumns<keyof typeof REQUIRED | keyof typeof FIRST_TAXONOMY>(
    label,
    header,
    { ...REQUIRED, ...FIRST_TAXONOMY },
  );
  const others = Array.from({ length: TAXONOMIES - 1 }, (_, index) => ({
    code: optionalColumn(label, header, [`Healthcare Provider Taxonomy Code_${index + 2}`]),
    primary: optionalColumn(label, header, [`Healthcare Provider Primary Taxonomy Switch_${index + 2}`]),
  }));
  return {
    ...required,
    taxonomies: [
      { code, primary },
      ...others.flatMap(({ code, primary }) =>
        code === undefined || primary === undefined ? [] : [{ code, primary }],
      ),
    ],
  };
}

/** The columns of a practice location. */
type PracticeColumns = Pick<RegistryColumns, 'line1' | 'line2' | 'city' | 'state' | 'zip' | 'phone'>;

/** Reads a row's practice location. */
export function practiceCells(row: ByteRow, columns: PracticeColumns): PracticeCells {
  return {
    lines: [row.text(columns.line1), row.text(columns.line2)],
    city: row.text(columns.city),
    state: row.text(columns.state),
    zip: row.text(columns.zip),
    phone: row.text(columns.phone),
  };
}
