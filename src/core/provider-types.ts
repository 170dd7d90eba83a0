/** The kinds of providers that searches distinguish (SPEC 4.10, 4.11). */
export const PROVIDER_TYPES = [
  'pcp',
  'fqhc',
  'urgent_care',
  'rural_health_clinic',
  'primary_care_clinic',
  'community_health_center',
] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

/** What a search may ask for: one kind, or all of them. */
export const PROVIDER_FILTERS = ['all', ...PROVIDER_TYPES] as const;
export type ProviderFilter = (typeof PROVIDER_FILTERS)[number];

/**
 * The kinds that a provider in a dataset can have. `other` occurs only if the loader was told to keep all taxonomies; no
 * search can ask for it alone.
 */
export const PROVIDER_KINDS = [...PROVIDER_TYPES, 'other'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/**
 * What a provider's position is taken from, the most trusted first: a file of coordinates by NPI, the health-center site
 * that HRSA locates, the address interpolated along address ranges, or a point of the ZIP.
 */
export const LOCATION_QUALITIES = ['coordinate_file', 'hrsa_site', 'address_range', 'zip'] as const;
export type LocationQuality = (typeof LOCATION_QUALITIES)[number];
