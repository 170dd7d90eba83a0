import type { ColumnNames } from '../columns.js';

/** The names of a table's columns. */
export interface SiteLayout {
  readonly required: Readonly<Record<'name' | 'line1' | 'city' | 'state' | 'phone' | 'lng' | 'lat', ColumnNames>>;
  readonly optional: Readonly<Record<'zip' | 'npi' | 'organization' | 'status' | 'kind', ColumnNames>>;
}

/** 56 columns, the last without a name. X is the longitude. */
export const OFFICIAL_LAYOUT: SiteLayout = {
  required: {
    name: ['Site Name'],
    line1: ['Site Address'],
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
    line1: ['address'],
    city: ['city'],
    state: ['st_abbr'],
    phone: ['phone'],
    lng: ['lon'],
    lat: ['lat'],
  },
  optional: { zip: ['zip'], npi: ['npi'], organization: [], status: [], kind: [] },
};
