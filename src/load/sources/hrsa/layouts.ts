import type { ColumnNames } from '../columns.js';

const REQUIRED = ['name', 'address', 'city', 'state', 'phone', 'lng', 'lat'] as const;
const OPTIONAL = ['zip', 'npi', 'organization', 'status', 'kind'] as const;

/** The names of a table's columns. */
export interface SiteLayout {
  readonly required: Readonly<Record<(typeof REQUIRED)[number], ColumnNames>>;
  readonly optional: Readonly<Record<(typeof OPTIONAL)[number], ColumnNames>>;
}

/** 56 columns, the last without a name. X is the longitude. */
export const OFFICIAL_LAYOUT: SiteLayout = {
  required: {
    name: ['Site Name'],
    address: ['Site Address'],
    city: ['Site City'],
    state: ['Site State Abbreviation'],
    phone: ['Site Telephone Number'],
    lng: ['Geocoding Artifact Address Primary X Coordinate'],
    lat: ['Geocoding Artifact Address Primary Y Coordinate'],
  },
  optional: {
    zip: ['Site Postal Code'],
    npi: ['FQHC Site NPI Number'],
    organization: ['Health Center Name'],
    status: ['Site Status Description'],
    kind: ['Health Center Type Description'],
  },
};

export const REDUCED_LAYOUT: SiteLayout = {
  required: {
    name: ['name'],
    address: ['address'],
    city: ['city'],
    state: ['st_abbr'],
    phone: ['phone'],
    lng: ['lon'],
    lat: ['lat'],
  },
  optional: { zip: ['zip'], npi: ['npi'], organization: [], status: [], kind: [] },
};
