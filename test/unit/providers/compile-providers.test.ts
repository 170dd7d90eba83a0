import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { type Dataset, openDataset } from '../../../src/format/dataset.js';
import { accountOf, type LoadOutcome, load } from '../../support/loading.js';
import { clinic, locationsText, npiAt, physician, registryText } from '../../support/nppes.js';
import {
  crosswalkText,
  gazetteerText,
  type InputTree,
  tractShapefile,
  writeTree,
} from '../../support/official-files.js';
import {
  extractText,
  type HrsaSite,
  hrsaSite,
  hrsaText,
  rhcText,
  zctaGazetteerText,
  zctaTractText,
} from '../../support/provider-files.js';
import { entryOf } from '../../support/providers.js';
import { DELAWARE } from '../../support/small-input.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** Squares of a tenth of a degree, from 75.7 W and 39.0 N eastward. */
const GROUND: InputTree = {
  '2023_Gaz_tracts_national.txt': gazetteerText(DELAWARE),
  ...tractShapefile('tl_2020_10_tract', DELAWARE),
};
const [FIRST = '', SECOND = '', THIRD = ''] = DELAWARE.map(({ geoid }) => geoid);
const REGISTRY = 'npidata_pfile_20050523-20240107.csv';
const IN_DELAWARE = {
  'Provider Business Practice Location Address State Name': 'DE',
  'Provider Business Practice Location Address Postal Code': '199011234',
};

const IN_CONNECTICUT = {
  'Provider Business Practice Location Address State Name': 'CT',
  'Provider Business Practice Location Address Postal Code': '06604',
};

interface Found {
  readonly outcome: LoadOutcome;
  readonly dataset: Dataset;
  readonly providers: readonly Record<string, unknown>[];
  readonly byLocation: Record<string, number>;
}

/** Compiles files beside three tracts of Delaware; `providers` are the file's entries in its order. */
async function compiled(files: InputTree): Promise<Found> {
  const directory = temporaryDirectory();
  const outputDir = join(directory, 'out');
  const input = writeTree(join(directory, 'in'), { ...GROUND, ...files });
  const outcome = await load({ inputDirs: [input], outputDir, filter: { territories: false } });
  if (!outcome.published) throw outcome.error ?? new Error('nothing was published');
  const dataset = openDataset(generationPath(outputDir, outcome.published.generation));
  onTestFinished(() => dataset.release());
  const { providers: file } = dataset;
  const providers = file ? Array.from(file.npis, (_, row) => entryOf(file, row)) : [];
  return { outcome, dataset, providers, byLocation: file?.countByQuality() ?? {} };
}

const person = (index: number, cells: HrsaSite = {}) => physician({ NPI: npiAt(index), ...IN_DELAWARE, ...cells });
const organization = (index: number, cells: HrsaSite = {}) => clinic({ NPI: npiAt(index), ...IN_DELAWARE, ...cells });

test('a position is a coordinate file’s, else HRSA’s, else the ZIP’s; the record knows which, and the tract follows from it', async () => {
  const { providers, byLocation, dataset } = await compiled({
    [REGISTRY]: registryText(
      person(0),
      person(1),
      organization(2, { 'Provider Organization Name (Legal Business Name)': 'SYNTHETIC HEALTH CENTER' }),
    ),
    'coordinates.csv': `npi,lat,lng\n${npiAt(0)},39.05,-75.65\n`,
    'hrsa/sites.csv': hrsaText(
      hrsaSite({
        'FQHC Site NPI Number': npiAt(2),
        'Site Address': '12 North Samplewood Avenue #300',
        'Geocoding Artifact Address Primary X Coordinate': '-75.55',
      }),
    ),
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.02, -75.42]),
  });
  const found = new Map(providers.map(({ npi, tract_fips, lat, lng }) => [npi, { tract_fips, lat, lng }]));
  expect(found).toEqual(
    new Map([
      [npiAt(0), { tract_fips: FIRST, lat: 39.05, lng: -75.65 }],
      [npiAt(1), { tract_fips: THIRD, lat: 39.02, lng: -75.42 }],
      [npiAt(2), { tract_fips: SECOND, lat: 39.05, lng: -75.55 }],
    ]),
  );
  expect(byLocation).toEqual({ coordinate_file: 1, hrsa_site: 1, address_range: 0, zip: 1 });
  const { tracts, outlines } = dataset;
  for (const { lat, lng, tract_fips } of providers) {
    expect(tracts.geoids[outlines.locate({ lat: Number(lat), lng: Number(lng) })]).toBe(Number(tract_fips));
  }
});

test('without a gazetteer of ZIPs a ZIP’s point is the mean of its tracts’ internal points, by their land', async () => {
  const { providers, byLocation } = await compiled({
    [REGISTRY]: registryText(person(0)),
    'tab20_zcta520_tract20_natl.txt': zctaTractText(['19901', FIRST, 300], ['19901', SECOND, 100], ['', THIRD, 5]),
  });
  expect(providers).toMatchObject([{ tract_fips: FIRST, lat: 39.05 }]);
  expect(providers[0]?.lng).toBeCloseTo(-75.625, 9);
  expect(byLocation).toMatchObject({ zip: 1 });
});

test('a provider without any position is left out and counted', async () => {
  const { outcome, providers } = await compiled({ [REGISTRY]: registryText(person(0)) });
  expect(providers).toEqual([]);
  expect(accountOf(outcome, 'NPPES registry through 2024-01-07')).toMatchObject({
    kept: 0,
    leftOut: { 'no position: neither coordinates nor a known ZIP': 1 },
  });
});

test('coordinates that are 0,0, swapped, abroad, contradictory or of unknown providers are counted, and none is used', async () => {
  // So many that the few wrong ones stay below the threshold.
  const good = Array.from({ length: 700 }, (_, index) => index + 10);
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(...[0, 1, 2, 3, 4, 5, ...good].map((index) => person(index))),
    'coordinates.csv': [
      'npi,lat,lng',
      `${npiAt(0)},0,0`,
      `${npiAt(1)},-75.65,39.05`,
      `${npiAt(2)},48.85,2.35`,
      `${npiAt(3)},,-75.65`,
      `${npiAt(5)},,`,
      `${npiAt(4)},39.05,-75.65`,
      `${npiAt(4)},39.05,-75.65`,
      `${npiAt(4)},39.06,-75.65`,
      `${npiAt(9)},39.05,-75.65`,
      'nobody,39.05,-75.65',
      ...good.map((index) => `${npiAt(index)},39.05,-75.65`),
      '',
    ].join('\n'),
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.02, -75.42]),
  });
  const byZip = providers.filter(({ lng }) => lng === -75.42).map(({ npi }) => npi);
  expect(byZip.sort()).toEqual([0, 1, 2, 3, 5].map(npiAt).sort());
  expect(accountOf(outcome, 'Coordinates by NPI')).toMatchObject({
    rejected: {
      'coordinates are 0,0': 1,
      'latitude and longitude swapped': 1,
      'coordinates out of range': 1,
      'coordinate is not a number': 1,
      'duplicate NPI with other coordinates': 1,
      'not an NPI': 1,
    },
    leftOut: { 'no coordinates': 1, 'no kept provider has this NPI': 1, 'duplicate row': 1 },
    kept: 701,
  });
});

test('wrong coordinates of unwanted providers are left out like correct ones, so that a national list works for one state', async () => {
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(
      person(0),
      person(1, { 'Provider Business Practice Location Address State Name': 'GU' }),
      person(4),
    ),
    'coordinates.csv': [
      'npi,lat,lng',
      `${npiAt(0)},39.05,-75.65`,
      // In the registry, but not wanted.
      `${npiAt(1)},39.05,-75.65`,
      `${npiAt(1)},39.06,-75.65`,
      `${npiAt(1)},39.05,-75.65`,
      `${npiAt(1)},0,0`,
      // In no registry.
      `${npiAt(2)},0,0`,
      `${npiAt(3)},39.05,-75.65`,
      `${npiAt(3)},39.07,-75.65`,
      `${npiAt(4)},39.05,-75.65`,
      '',
    ].join('\n'),
  });
  expect(providers.map(({ npi }) => npi).sort()).toEqual([0, 4].map(npiAt).sort());
  expect(accountOf(outcome, 'Coordinates by NPI')).toMatchObject({
    read: 9,
    kept: 2,
    rejected: {},
    leftOut: { 'no kept provider has this NPI': 7 },
  });
});

test('wrong rows of a territory that is not wanted are left out, whatever list they are in', async () => {
  const guam = { 'Provider Business Practice Location Address State Name': 'GU' };
  const nameless = { 'Provider Last Name (Legal Name)': '', 'Provider First Name': '' };
  const { outcome } = await compiled({
    [REGISTRY]: registryText(
      person(0),
      person(1, { ...guam, ...nameless }),
      person(1, guam),
      person(2, { ...guam, 'Entity Type Code': '3' }),
      person(3, { ...guam, 'Healthcare Provider Taxonomy Code_1': 'family' }),
      person(4, { ...guam, NPI: '12345' }),
    ),
    'pl_pfile_20050523-20240107.csv': locationsText(
      [npiAt(0), '7 MOCK RD', '', 'DEMOVILLE', 'DE', '19901', 'US', ''],
      ['12345', '7 MOCK RD', '', 'DEMOVILLE', 'GU', '96910', 'US', ''],
    ),
    'hrsa/sites.csv': hrsaText(
      hrsaSite({}),
      hrsaSite({ 'Site Name': '', 'Site State Abbreviation': 'GU' }),
      ...['FM', 'MH', 'PW'].map((state) => hrsaSite({ 'Site State Abbreviation': state })),
    ),
    'RHC.csv': rhcText([npiAt(8), 'DEMO RURAL CLINIC', '19901'], ['12345', 'NOWHERE', '96910']).replace(
      /"DE"(?=[^\n]*"96910")/g,
      '"GU"',
    ),
    'providers_GU.csv': extractText(
      [npiAt(9), 'A. DEMO', '207Q00000X', '39.05', '-75.65', FIRST],
      ['12345', 'B. DEMO', '207Q00000X', '39.05', '-75.65', FIRST],
      [npiAt(10), '', '207Q00000X', '39.05', '-75.65', FIRST],
    ).replaceAll('DE,', 'GU,'),
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.02, -75.42]),
  });
  const leftOutOf = (product: string) => {
    const { rejected, leftOut } = accountOf(outcome, product);
    return { rejected, leftOut };
  };
  expect(leftOutOf('NPPES registry through 2024-01-07')).toEqual({ rejected: {}, leftOut: { territory: 5 } });
  expect(leftOutOf('NPPES practice locations through 2024-01-07')).toEqual({ rejected: {}, leftOut: { territory: 1 } });
  expect(leftOutOf('HRSA Health Center Service Delivery and Look-Alike Sites')).toEqual({
    rejected: {},
    leftOut: { territory: 1, 'outside the United States': 3 },
  });
  expect(leftOutOf('CMS Rural Health Clinic Enrollments')).toEqual({ rejected: {}, leftOut: { territory: 1 } });
  expect(leftOutOf('Provider extract with coordinates')).toEqual({ rejected: {}, leftOut: { territory: 3 } });
});

test('a point in the sea, off a state whose outlines are complete, is not taken', async () => {
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(person(0)),
    'coordinates.csv': `npi,lat,lng\n${npiAt(0)},38.0,-74.0\n`,
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.02, -75.42]),
  });
  expect(providers).toMatchObject([{ tract_fips: THIRD, lng: -75.42 }]);
  expect(accountOf(outcome, 'NPPES registry through 2024-01-07').notes).toEqual({
    'coordinate_file: point in no tract, not used': 1,
  });
});

test('a provider whose only position cannot be used is left out for that reason, not for having no position', async () => {
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(person(0)),
    'coordinates.csv': `npi,lat,lng\n${npiAt(0)},38.0,-74.0\n`,
  });
  expect(providers).toEqual([]);
  expect(accountOf(outcome, 'NPPES registry through 2024-01-07').leftOut).toEqual({
    'no position: none of the known ones could be used': 1,
  });
});

test('a coordinate file may give a Connecticut tract by its county-based GEOID', async () => {
  const [old, now, other] = ['09001010101', '09190010101', '09190010102'];
  const { outcome } = await compiled({
    ...tractShapefile('tl_2023_09_tract', [{ geoid: now, west: -73, south: 41 }]),
    'ct_2022tractcrosswalk.csv': crosswalkText({ [old]: now }),
    [REGISTRY]: registryText(...[0, 1, 2].map((index) => person(index, IN_CONNECTICUT))),
    'coordinates.csv': [
      'npi,lat,lng,tract_fips',
      ...[old, now, other].map((tract, index) => `${npiAt(index)},41.05,-72.95,${tract}`),
    ].join('\n'),
  });
  expect(accountOf(outcome, 'Coordinates by NPI').notes).toEqual({
    'tract_fips agrees with the outlines': 2,
    'tract_fips contradicts the outlines, not used': 1,
  });
});

test('HRSA’s sites mark organizations by NPI, else by name and address; every other is a provider of its own', async () => {
  const legalName = 'Provider Organization Name (Legal Business Name)';
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(
      organization(0, { 'Healthcare Provider Taxonomy Code_1': '103T00000X', [legalName]: 'SYNTHETIC HEALTH CENTER' }),
      organization(1, {
        [legalName]: 'SYNTHETIC CARE NETWORK, INC.',
        'Provider First Line Business Practice Location Address': '7 MOCK ROAD',
      }),
      organization(2, { 'Provider First Line Business Practice Location Address': '8 MOCK RD' }),
    ),
    'hrsa/sites.csv': hrsaText(
      hrsaSite({ 'FQHC Site NPI Number': npiAt(0), 'Site Address': '12 N Samplewood Ave' }),
      hrsaSite({
        'FQHC Site NPI Number': npiAt(0),
        'Site Name': 'Synthetic School Site',
        'Site Address': '99 Demo Ln',
      }),
      hrsaSite({
        'Site Name': 'Synthetic Annex',
        'Site Address': '7 Mock Rd Ste 2',
        'Site Status Description': 'ACTIVE',
      }),
      hrsaSite({ 'Site Name': 'Another Synthetic Name', 'Site Address': '8 Mock Rd', 'Health Center Name': 'NOBODY' }),
      hrsaSite({ 'Site Name': 'Another Synthetic Name', 'Site Address': '8 Mock Rd', 'Health Center Name': 'NOBODY' }),
      hrsaSite({ 'Site Name': 'Closed Site', 'Site Status Description': 'Inactive' }),
      hrsaSite({ 'Site Name': 'Office', 'Health Center Type Description': 'ADMINISTRATIVE' }),
    ),
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.02, -75.42]),
  });
  const shown = providers.map(({ npi, provider_name, provider_type, is_fqhc, primary_taxonomy }) => [
    npi,
    provider_name,
    provider_type,
    is_fqhc,
    primary_taxonomy,
  ]);
  expect(shown).toHaveLength(5);
  expect(shown).toEqual(
    expect.arrayContaining([
      [npiAt(0), 'Synthetic Health Center', 'fqhc', true, '103T00000X'],
      [npiAt(0), 'Synthetic School Site', 'fqhc', true, '103T00000X'],
      [npiAt(1), 'Synthetic Care Network, Inc.', 'fqhc', true, '261QP2300X'],
      [npiAt(2), 'Synthetic Clinic of Sampleton, LLC', 'primary_care_clinic', false, '261QP2300X'],
    ]),
  );
  // Those without an NPI come last.
  expect(shown.at(-1)).toEqual([null, 'Another Synthetic Name', 'fqhc', true, null]);
  expect(accountOf(outcome, 'HRSA Health Center Service Delivery and Look-Alike Sites')).toMatchObject({
    read: 7,
    kept: 4,
    leftOut: { 'administrative site': 1, 'site not active': 1, 'duplicate site': 1 },
  });
});

test('coordinates by NPI are those of its first place: a health center’s other sites stay where HRSA has them', async () => {
  const { providers } = await compiled({
    [REGISTRY]: registryText(organization(0)),
    'hrsa/sites.csv': hrsaText(
      ...['7 Mock Rd', '8 Mock Rd'].map((address) =>
        hrsaSite({
          'FQHC Site NPI Number': npiAt(0),
          'Site Address': address,
          'Geocoding Artifact Address Primary X Coordinate': '-75.45000000',
        }),
      ),
    ),
    'coordinates.csv': `npi,lat,lng\n${npiAt(0)},39.05,-75.55\n`,
  });
  expect(providers).toMatchObject([
    { practice_address: '12 N Samplewood Ave, Suite 300', tract_fips: SECOND },
    { practice_address: '7 Mock Rd', tract_fips: THIRD },
    { practice_address: '8 Mock Rd', tract_fips: THIRD },
  ]);
});

test('a further practice location that HRSA lists as a site is there once', async () => {
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(organization(0)),
    'hrsa/sites.csv': hrsaText(hrsaSite({ 'FQHC Site NPI Number': npiAt(0), 'Site Address': '7 Mock Rd' })),
    'pl_pfile_20050523-20240107.csv': locationsText([
      npiAt(0),
      '7 MOCK ROAD',
      '',
      'SAMPLETON',
      'DE',
      '19901',
      'US',
      '',
    ]),
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.02, -75.42]),
  });
  expect(providers.map(({ practice_address }) => practice_address)).toEqual([
    '12 N Samplewood Ave, Suite 300',
    '7 Mock Rd',
  ]);
  expect(accountOf(outcome, 'NPPES practice locations through 2024-01-07').leftOut).toEqual({
    'duplicate location': 1,
  });
});

test('a row with an overlong text in any column is rejected and ends nothing', async () => {
  const endless = 'X'.repeat(70_000);
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(
      ...Array.from({ length: 200 }, (_, index) => person(index)),
      person(200, { 'Provider Sex Code': endless }),
    ),
    'pl_pfile_20050523-20240107.csv': locationsText(
      ...Array.from({ length: 200 }, (_, index) => [
        npiAt(0),
        `${index + 1} MOCK RD`,
        '',
        'SAMPLETON',
        'DE',
        '',
        'US',
        '',
      ]),
      [npiAt(1), endless, '', 'SAMPLETON', 'DE', '19901', 'US', ''],
    ),
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.02, -75.42]),
  });
  expect(providers).toHaveLength(200);
  expect(accountOf(outcome, 'NPPES registry through 2024-01-07').rejected).toEqual({ 'overlong text': 1 });
  expect(accountOf(outcome, 'NPPES practice locations through 2024-01-07').rejected).toEqual({ 'overlong text': 1 });
});

test('a point in another state than the address is used and counted', async () => {
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(person(0, { 'Provider Business Practice Location Address State Name': 'MD' })),
    'coordinates.csv': `npi,lat,lng\n${npiAt(0)},39.05,-75.55\n`,
  });
  expect(providers).toMatchObject([{ practice_state: 'MD', tract_fips: SECOND }]);
  expect(accountOf(outcome, 'NPPES registry through 2024-01-07').notes).toEqual({
    'coordinate_file: point in another state than the address': 1,
  });
});

test.each([
  [
    'near its ZIP is taken',
    [39.2, -76.1],
    { practice_zip: '21502', tract_fips: SECOND },
    'point in another state than the address',
  ],
  [
    'a hundred miles from its ZIP gives way to the ZIP’s own',
    [39.65, -78.76],
    { practice_zip: '21502', tract_fips: null, lat: 39.65, lng: -78.76 },
    'point far away in another state than the address, not used',
  ],
] as const)('a point in another state that is %s, and both are told', async (_, [lat, lng], provider, note) => {
  const inMaryland = {
    'Provider Business Practice Location Address State Name': 'MD',
    'Provider Business Practice Location Address Postal Code': '215021234',
  };
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(person(0, inMaryland)),
    'coordinates.csv': `npi,lat,lng\n${npiAt(0)},39.05,-75.55\n`,
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['21502', lat, lng]),
  });
  expect(providers).toMatchObject([provider]);
  expect(accountOf(outcome, 'NPPES registry through 2024-01-07').notes).toEqual({
    [`coordinate_file: ${note}`]: 1,
    ...(provider.tract_fips === null ? { 'provider outside all loaded outlines, in no tract': 1 } : {}),
  });
});

test('an HRSA row without coordinates is placed by its ZIP, and the reduced table is read too', async () => {
  const { providers, byLocation } = await compiled({
    'sites.csv': hrsaText(
      hrsaSite({
        'Geocoding Artifact Address Primary X Coordinate': '',
        'Geocoding Artifact Address Primary Y Coordinate': '',
      }),
    ),
    'FQHC.csv':
      'name,st_abbr,city,address,phone,testing_status,lon,lat\nSYNTHETIC MOBILE VAN,DE,Sampleton,1 Demo St,302-555-0101,Yes,-75.55,39.05\n',
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.02, -75.42]),
  });
  expect(providers).toMatchObject([
    { npi: null, provider_name: 'Synthetic Health Center', tract_fips: THIRD, entity_type: '2' },
    { npi: null, provider_name: 'Synthetic Mobile Van', tract_fips: SECOND, phone: '302-555-0101', practice_zip: null },
  ]);
  expect(byLocation).toMatchObject({ hrsa_site: 1, zip: 1 });
});

test('enrolled rural health clinics are of that type whatever their taxonomy, and are there without the registry, too', async () => {
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(organization(0, { 'Healthcare Provider Taxonomy Code_1': '103T00000X' }), {
      NPI: npiAt(1),
      'NPI Deactivation Date': '03/15/2006',
    }),
    'RHC.csv': rhcText([npiAt(0), '', '19901'], [npiAt(1), 'GONE', '19901'], [npiAt(2), 'DEMO RURAL CLINIC', '19901']),
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.02, -75.42]),
  });
  const shown = providers.map(({ npi, provider_name, provider_type }) => [npi, provider_name, provider_type]);
  expect(shown).toHaveLength(2);
  expect(shown).toEqual(
    expect.arrayContaining([
      [npiAt(0), 'Synthetic Clinic of Sampleton, LLC', 'rural_health_clinic'],
      [npiAt(2), 'Demo Rural Clinic', 'rural_health_clinic'],
    ]),
  );
  expect(accountOf(outcome, 'CMS Rural Health Clinic Enrollments')).toMatchObject({
    read: 3,
    kept: 2,
    leftOut: { 'NPI deactivated': 1 },
  });
});

test('of several lists of rural clinics, and gazetteers of ZIPs, the newest counts for what it has', async () => {
  const older = rhcText([npiAt(0), 'OLD NAME', '19901'], [npiAt(1), 'OLD CLINIC', '19901']);
  const newer = rhcText([npiAt(0), 'NEW NAME', '19901'], [npiAt(0), 'AGAIN', '19901']);
  const { outcome, providers } = await compiled({
    'Rural_Health_Clinic_Enrollments_2023.12.01.csv': older,
    'Rural_Health_Clinic_Enrollments_2024.01.02.csv': newer,
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.05, -75.65]),
    '2024_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.02, -75.42]),
  });
  const shown = providers.map(({ provider_name, lng }) => [provider_name, lng]);
  expect(shown.sort()).toEqual([
    ['New Name', -75.42],
    ['Old Clinic', -75.42],
  ]);
  expect(accountOf(outcome, 'CMS Rural Health Clinic Enrollments')).toMatchObject({
    leftOut: { 'superseded by a newer file': 1, 'NPI enrolled more than once': 1 },
  });
});

test('further practice locations are providers of their own at their own places; the first place is not there twice', async () => {
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(person(0)),
    'pl_pfile_20050523-20240107.csv': locationsText(
      [npiAt(0), '7 MOCK RD', '', 'DEMOVILLE', 'DE', '19902', 'US', '3025550101'],
      [npiAt(0), '7 MOCK ROAD', 'STE 1', 'DEMOVILLE', 'DE', '19902', 'US', ''],
      [npiAt(0), '12 N SAMPLEWOOD AVENUE', '', 'SAMPLETON', 'DE', '19901', 'US', ''],
    ),
    'coordinates.csv': `npi,lat,lng\n${npiAt(0)},39.05,-75.65\n`,
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19902', 39.02, -75.42]),
  });
  expect(providers).toMatchObject([
    { npi: npiAt(0), practice_city: 'Sampleton', tract_fips: FIRST },
    { npi: npiAt(0), practice_city: 'Demoville', tract_fips: THIRD, phone: '302-555-0101' },
  ]);
  expect(accountOf(outcome, 'NPPES practice locations through 2024-01-07').leftOut).toEqual({
    'duplicate location': 2,
  });
});

test('an extract’s rows are providers where the registry has none, and coordinates where it has', async () => {
  const { outcome, providers } = await compiled({
    [REGISTRY]: registryText(person(0)),
    'providers_DE.csv': extractText(
      [npiAt(0), 'IGNORED NAME', '207Q00000X', '39.05', '-75.65', SECOND],
      [npiAt(1), 'C. SHANE DEMO-WALKER', '363LF0000X', '39.05', '-75.55', SECOND],
      [npiAt(2), 'SYNTHETIC URGENT CARE LLC', '261QU0200X', '39.05', '-75.45', THIRD],
      [npiAt(3), 'A. PSYCHOLOGIST', '103T00000X', '39.05', '-75.45', THIRD],
    ),
  });
  expect(providers).toHaveLength(3);
  expect(providers).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ provider_name: 'Synthia Q. Demo-Walker', tract_fips: FIRST }),
      expect.objectContaining({ provider_name: 'C. Shane Demo-Walker', credential: 'MD', provider_type: 'pcp' }),
      expect.objectContaining({
        provider_name: 'Synthetic Urgent Care LLC',
        provider_type: 'urgent_care',
        entity_type: '2',
        credential: null,
      }),
    ]),
  );
  expect(accountOf(outcome, 'Provider extract with coordinates')).toMatchObject({
    kept: 3,
    leftOut: { 'taxonomy without a provider type': 1 },
    notes: { 'tract_fips agrees with the outlines': 2, 'tract_fips contradicts the outlines, not used': 1 },
  });
});

test('a provider in two extracts is left out of the second, and rejected where one has it twice', async () => {
  const row = (index: number, name: string, lat = '39.05') =>
    [npiAt(index), name, '207Q00000X', lat, '-75.65', FIRST] as const;
  const others = Array.from({ length: 100 }, (_, at) => row(at + 2, 'B. DEMO'));
  const { outcome, providers } = await compiled({
    'providers_DE.csv': extractText(row(0, 'A. DEMO'), row(0, 'A. DEMO'), ...others),
    'unpacked/providers_DE.csv': extractText(row(0, 'IGNORED NAME', '39.06'), row(1, 'C. DEMO')),
  });
  const names = providers.map(({ npi, provider_name, lat }) => [npi, provider_name, lat]);
  expect(names).toHaveLength(102);
  expect(names).toEqual(
    expect.arrayContaining([
      [npiAt(0), 'A. Demo', 39.05],
      [npiAt(1), 'C. Demo', 39.05],
    ]),
  );
  expect(accountOf(outcome, 'Provider extract with coordinates')).toMatchObject({
    kept: 102,
    rejected: { 'duplicate NPI': 1 },
    leftOut: { 'in another extract': 1 },
  });
});

test('an extract that lacks a column is used for coordinates only, reported as such, and all its rows are accounted for', async () => {
  const text = extractText(
    [npiAt(0), 'C. SHANE DEMO-WALKER', '363LF0000X', '39.05', '-75.55', SECOND],
    [npiAt(1), 'SYNTHETIC URGENT CARE LLC', '261QU0200X', '39.05', '-75.45', THIRD],
  ).replace('taxonomy_code', 'taxonomy');
  const told =
    'in/providers_DE.csv: looks like Provider extract with coordinates, but has no column taxonomy_code: only its coordinates are read';
  const unused = 'no kept provider has this NPI';
  const alone = await compiled({ 'providers_DE.csv': text });
  expect(accountOf(alone.outcome, 'Coordinates by NPI')).toMatchObject({ read: 2, kept: 0, leftOut: { [unused]: 2 } });
  expect(alone.outcome.published?.report.suspect).toEqual([told]);
  expect(alone.outcome.lines.at(-1)).toBe(`  ${told}`);
  const registered = await compiled({ [REGISTRY]: registryText(person(0)), 'providers_DE.csv': text });
  expect(registered.providers).toMatchObject([{ npi: npiAt(0), tract_fips: SECOND }]);
  expect(accountOf(registered.outcome, 'Coordinates by NPI')).toMatchObject({ kept: 1, leftOut: { [unused]: 1 } });
});

test('equal files give equal bytes', async () => {
  const files = {
    [REGISTRY]: registryText(person(3), person(1), organization(2)),
    'hrsa/sites.csv': hrsaText(hrsaSite({}), hrsaSite({ 'Site Name': 'Other' })),
    '2023_Gaz_zcta_national.txt': zctaGazetteerText(['19901', 39.02, -75.42]),
  };
  const [first, second] = [await compiled(files), await compiled(files)];
  expect(second.dataset.generation).toBe(first.dataset.generation);
});

test('a file of which more rows are damaged than may be is not published', async () => {
  const directory = temporaryDirectory();
  const text = registryText(...Array.from({ length: 20 }, (_, index) => person(index)));
  const input = writeTree(join(directory, 'in'), { ...GROUND, [REGISTRY]: `${text}"broken"row\n` });
  const outcome = await load({
    inputDirs: [input],
    outputDir: join(directory, 'out'),
    filter: { territories: false },
  });
  expect(outcome.error?.message.split('\n')).toEqual([
    'nppes: 1 of 1 rows rejected, more than 1%',
    `  in/${REGISTRY}: 1 × broken quotes, the first: row 22`,
  ]);
});
