/** An estimate of an ACS table. */
export interface AcsVariable {
  /** Table and line without the estimate's `E`: `B19013_001`, `S1701_C02_001`, `DP03_0062`. */
  readonly code: string;
  /**
   * Matches the label of the column, in lower case, its parts joined by `!!`, without colons. Lines of profile and subject
   * tables moved over the years, so the label decides if a file has labels.
   */
  readonly label?: RegExp;
  /** The first year in which `code` is this line; earlier files are read by label only. */
  readonly since?: number;
}

/** A metric taken from a table: the sum of the parts (often a single one), or that sum as a percentage of the whole. */
export interface AcsValue {
  readonly metric: string;
  readonly parts: readonly AcsVariable[];
  readonly whole?: AcsVariable;
}

export interface AcsTable {
  readonly id: string;
  /** Detailed tables (0) are preferred to profile and subject tables (1). */
  readonly preference: 0 | 1;
  readonly values: readonly AcsValue[];
}

const line = (code: string): AcsVariable => ({ code });
const single = (metric: string, variable: AcsVariable): AcsValue => ({ metric, parts: [variable] });

const detailed = (id: string, value: AcsValue): AcsTable => ({ id, preference: 0, values: [value] });

const DETAILED: readonly AcsTable[] = [
  detailed('B01003', single('total_population', line('B01003_001'))),
  detailed('B01002', single('median_age', line('B01002_001'))),
  detailed('B19013', single('median_household_income', line('B19013_001'))),
  detailed('B17001', { metric: 'poverty_rate', parts: [line('B17001_002')], whole: line('B17001_001') }),
  detailed('B23025', { metric: 'unemployment_rate', parts: [line('B23025_005')], whole: line('B23025_003') }),
  detailed('B27010', {
    metric: 'uninsured_rate',
    // "No health insurance coverage" under 19, 19 to 34, 35 to 64, and 65 years and over.
    parts: ['B27010_017', 'B27010_033', 'B27010_050', 'B27010_066'].map(line),
    whole: line('B27010_001'),
  }),
];

const LABOR_FORCE =
  'estimate!!employment status!!(population 16 years and over!!)?in labor force!!civilian labor force';
const INSURANCE = 'estimate!!health insurance coverage';
const INSURABLE = 'civilian noninstitutionalized population';

const PROFILE_AND_SUBJECT: readonly AcsTable[] = [
  {
    id: 'DP03',
    preference: 1,
    values: [
      single('median_household_income', {
        code: 'DP03_0062',
        label: /^estimate!!income and benefits.*!!median household income \(dollars\)$/,
      }),
      {
        metric: 'unemployment_rate',
        parts: [{ code: 'DP03_0005', label: new RegExp(`^${LABOR_FORCE}!!unemployed$`) }],
        whole: { code: 'DP03_0003', label: new RegExp(`^${LABOR_FORCE}$`) },
      },
      {
        metric: 'uninsured_rate',
        parts: [
          {
            code: 'DP03_0099',
            // Up to 2012 the line of those under 18 has the same label.
            label: new RegExp(`^${INSURANCE}!!(${INSURABLE}!!)?no health insurance coverage$`),
          },
        ],
        whole: { code: 'DP03_0095', label: new RegExp(`^${INSURANCE}!!${INSURABLE}$`) },
      },
    ],
  },
  {
    id: 'DP05',
    preference: 1,
    values: [
      single('total_population', { code: 'DP05_0001', label: /^estimate!!sex and age!!total population$/ }),
      single('median_age', {
        code: 'DP05_0018',
        label: /^estimate!!sex and age!!(total population!!)?median age \(years\)$/,
        since: 2017,
      }),
    ],
  },
  {
    id: 'S1701',
    preference: 1,
    values: [
      {
        metric: 'poverty_rate',
        parts: [
          {
            code: 'S1701_C02_001',
            label: /^estimate!!below poverty level!!population for whom poverty status is determined$/,
          },
        ],
        whole: { code: 'S1701_C01_001', label: /^estimate!!total!!population for whom poverty status is determined$/ },
      },
    ],
  },
  {
    id: 'S1901',
    preference: 1,
    values: [
      single('median_household_income', {
        code: 'S1901_C01_012',
        label: /^estimate!!households!!median income \(dollars\)$/,
      }),
    ],
  },
  {
    id: 'S2701',
    preference: 1,
    values: [
      {
        metric: 'uninsured_rate',
        parts: [
          {
            code: 'S2701_C04_001',
            label: /^estimate!!(number )?uninsured!!(total )?civilian noninstitutionalized population$/,
            since: 2015,
          },
        ],
        whole: { code: 'S2701_C01_001', label: /^estimate!!total!!(total )?civilian noninstitutionalized population$/ },
      },
    ],
  },
  {
    id: 'S0101',
    preference: 1,
    values: [
      single('total_population', { code: 'S0101_C01_001', label: /^estimate!!total!!total population$/ }),
      single('median_age', {
        code: 'S0101_C01_032',
        label: /^estimate!!total!!(total population!!)?summary indicators!!median age \(years\)$/,
        since: 2017,
      }),
    ],
  },
];

/**
 * The ACS tables that metrics are taken from. Their lines are listed at
 * https://api.census.gov/data/2022/acs/acs5/variables.html and, for profile and subject tables, below /acs5/profile/ and
 * /acs5/subject/ there.
 */
const ACS_TABLES: readonly AcsTable[] = [...DETAILED, ...PROFILE_AND_SUBJECT];

/** The table with this id, in upper or lower case, if it is one that metrics are taken from. */
export function acsTable(id: string): AcsTable | undefined {
  return ACS_TABLES.find((table) => table.id === id.toUpperCase());
}
