/** The agencies' products that the loader supports; the keys of `datasets/sources.json`. */
export const SOURCE_IDS = [
  'gazetteer',
  'tiger',
  'addrfeat',
  'tiger-place',
  'cenpop',
  'acs',
  'svi',
  'places',
  'ejscreen',
  'ct-crosswalk',
  'tract-relationship',
  'nppes',
  'hrsa',
  'cms-rhc',
  'provider-coordinates',
  'zcta',
] as const;

/** One of {@link SOURCE_IDS}. */
export type SourceId = (typeof SOURCE_IDS)[number];

/** The delineation of tracts that a product is published on. Connecticut's change of 2022 counts as 2020. */
export type TractVintage = 2010 | 2020;

/** From this year on, the Census Bureau's geography is that of the 2020 tracts. */
export const FIRST_YEAR_OF_2020_TRACTS = 2020;
