/** A CSV row with every cell in quotes. */
const quoted = (cells: readonly string[]): string => cells.map((cell) => `"${cell}"`).join(',');

/** Columns of HRSA's official table, which has 56, in the official order. */
const HRSA_COLUMNS = [
  ...['Health Center Type', 'Health Center Number', 'BHCMIS Organization Identification Number'],
  ...['BPHC Assigned Number', 'Site Name', 'Site Address', 'Site City', 'Site State Abbreviation'],
  ...['Site Postal Code', 'Site Telephone Number', 'Site Web Address', 'Operating Hours per Week'],
  ...['Health Center Location Setting Identification Number'],
  ...['Health Center Service Delivery Site Location Setting Description'],
  ...['Health Center Status Identification Number', 'Site Status Description', 'FQHC Site Medicare Billing Number'],
  ...['FQHC Site NPI Number', 'Health Center Location Identification Number'],
  ...['Health Center Location Type Description', 'Health Center Type Identification Number'],
  ...['Health Center Type Description', 'Health Center Name', 'Geocoding Artifact Address Primary X Coordinate'],
  ...['Geocoding Artifact Address Primary Y Coordinate', 'Data Warehouse Record Create Date'],
];

export type HrsaSite = Readonly<Record<string, string>>;

/** A site in Delaware; `given` overrides the defaults. */
export const hrsaSite = (given: HrsaSite): HrsaSite => ({
  'Site Name': 'Synthetic Health Center',
  'Site Address': '5 Mock Rd',
  'Site City': 'Sampleton',
  'Site State Abbreviation': 'DE',
  'Site Postal Code': '19901-1234',
  'Site Telephone Number': '302-555-0100',
  'Site Status Description': 'Active',
  'Health Center Type Description': 'Service Delivery Site',
  'Health Center Name': 'SYNTHETIC CARE NETWORK INC',
  'Geocoding Artifact Address Primary X Coordinate': '-75.65000000',
  'Geocoding Artifact Address Primary Y Coordinate': '39.05000000',
  'Data Warehouse Record Create Date': '09/30/2026',
  ...given,
});

/** HRSA's table: an unquoted header that ends in a comma, followed by quoted rows that do not. */
export function hrsaText(...sites: readonly HrsaSite[]): string {
  const rows = sites.map((site) => quoted(HRSA_COLUMNS.map((column) => site[column] ?? '')));
  return [`${HRSA_COLUMNS.join(',')},`, ...rows, ''].join('\r\n');
}

const RHC_COLUMNS = [
  ...['ENROLLMENT ID', 'ENROLLMENT STATE', 'PROVIDER TYPE CODE', 'PROVIDER TYPE TEXT', 'NPI', 'MULTIPLE NPI FLAG'],
  ...['CCN', 'ASSOCIATE ID', 'ORGANIZATION NAME', 'DOING BUSINESS AS NAME', 'INCORPORATION DATE'],
  ...['INCORPORATION STATE', 'ORGANIZATION TYPE STRUCTURE', 'ORGANIZATION OTHER TYPE TEXT', 'PROPRIETARY_NONPROFIT'],
  ...['ADDRESS LINE 1', 'ADDRESS LINE 2', 'CITY', 'STATE', 'ZIP CODE'],
];

/** CMS's rural health clinic enrollments, given by NPI, trade name and ZIP; all have the same street address in Delaware. */
export function rhcText(...clinics: readonly (readonly [npi: string, tradeName: string, zip: string])[]): string {
  const rows = clinics.map(([npi, trade, zip]) => {
    const cells: Readonly<Record<string, string>> = {
      'ENROLLMENT ID': 'O20010101000001',
      'PROVIDER TYPE TEXT': 'PART A PROVIDER - RURAL HEALTH CLINIC (RHC)',
      NPI: npi,
      'ORGANIZATION NAME': 'SYNTHETIC RURAL HOLDING LLC',
      'DOING BUSINESS AS NAME': trade,
      'ADDRESS LINE 1': '9 DEMO LN',
      CITY: 'SAMPLETON',
      STATE: 'DE',
      'ZIP CODE': zip,
    };
    return quoted(RHC_COLUMNS.map((column) => cells[column] ?? ''));
  });
  return [quoted(RHC_COLUMNS), ...rows, ''].join('\n');
}

/** A gazetteer of ZCTAs, each given by ZIP, latitude and longitude. */
export function zctaGazetteerText(...points: readonly (readonly [zip: string, lat: number, lng: number])[]): string {
  const header = 'GEOID\tALAND\tAWATER\tALAND_SQMI\tAWATER_SQMI\tINTPTLAT\tINTPTLONG          ';
  return [header, ...points.map(([zip, lat, lng]) => `${zip}\t1\t0\t0.\t0.\t${lat}\t${lng}   `), ''].join('\n');
}

/** The Census Bureau's relationship of ZCTAs to tracts: ZIP, tract GEOID, shared land in square metres. */
export function zctaTractText(...shares: readonly (readonly [zip: string, geoid: string, land: number])[]): string {
  const header =
    'OID_ZCTA5_20|GEOID_ZCTA5_20|NAMELSAD_ZCTA5_20|OID_TRACT_20|GEOID_TRACT_20|AREALAND_PART|AREAWATER_PART';
  const rows = shares.map(([zip, geoid, land]) => `1|${zip}|ZCTA5 ${zip}|2|${geoid}|${land}|0`);
  return [header, ...rows, ''].join('\n');
}

/** An extract of the registry with coordinates, from the cells that differ between its rows. */
export function extractText(
  ...rows: readonly (readonly [npi: string, name: string, taxonomy: string, lat: string, lng: string, tract: string])[]
): string {
  const header = 'npi,name,credential,taxonomy_code,provider_type,address,city,state,zip,lat,lon,tract_fips';
  const lines = rows.map(
    ([npi, name, taxonomy, lat, lng, tract]) =>
      `${npi},${name},M.D.,${taxonomy},PCP,,SAMPLETON,DE,19901,${lat},${lng},${tract}`,
  );
  return [header, ...lines, ''].join('\n');
}
