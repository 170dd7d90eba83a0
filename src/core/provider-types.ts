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
