import { type ColumnNames, optionalColumn, requireColumns } from '../columns.js';

/** The registry's columns that a provider is built from. A file that lacks one of them is refused. */
export const REGISTRY_COLUMNS = {
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
  code: ['Healthcare Provider Taxonomy Code_1'],
  primary: ['Healthcare Provider Primary Taxonomy Switch_1'],
} as const satisfies Record<string, ColumnNames>;

/** The greatest number of taxonomies that a provider may have. */
const TAXONOMIES = 15;

/** The indexes of a registry file's columns. */
export type RegistryColumns = Readonly<Record<Exclude<keyof typeof REGISTRY_COLUMNS, 'code' | 'primary'>, number>> & {
  /** In order, each taxonomy's code, and the switch that says whether it is the primary one. */
  readonly taxonomies: readonly { readonly code: number; readonly primary: number }[];
};

/** Finds the columns by their names. Throws `InputError` naming the file and the missing columns. */
export function registryColumns(label: string, header: readonly string[]): RegistryColumns {
  const { code, primary, ...required } = requireColumns(label, header, REGISTRY_COLUMNS);
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
