/** The kinds of providers that searches tell apart (SPEC 4.10, 4.11). */
export const PROVIDER_TYPES = [
  'pcp',
  'fqhc',
  'urgent_care',
  'rural_health_clinic',
  'primary_care_clinic',
  'community_health_center',
] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

/** What a search may ask for: one kind, or every one. */
export const PROVIDER_FILTERS = ['all', ...PROVIDER_TYPES] as const;
export type ProviderFilter = (typeof PROVIDER_FILTERS)[number];

/**
 * What a provider in a dataset can be. `other` is there only where the loader was told to keep all taxonomies; no search
 * asks for it alone.
 */
export const PROVIDER_KINDS = [...PROVIDER_TYPES, 'other'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/**
 * Where a provider's position is from, the most trusted first: a file of coordinates by NPI, the health-center site that
 * HRSA locates, the address among address ranges, a point of the ZIP.
 */
export const LOCATION_QUALITIES = ['coordinate_file', 'hrsa_site', 'address_range', 'zip'] as const;
export type LocationQuality = (typeof LOCATION_QUALITIES)[number];
