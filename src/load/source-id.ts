/** The agencies' products that the loader supports; the keys of `datasets/sources.json`. */
export type SourceId =
  | 'gazetteer'
  | 'tiger'
  | 'addrfeat'
  | 'tiger-place'
  | 'cenpop'
  | 'acs'
  | 'svi'
  | 'places'
  | 'ejscreen'
  | 'ct-crosswalk'
  | 'tract-relationship'
  | 'nppes'
  | 'hrsa'
  | 'cms-rhc'
  | 'provider-coordinates'
  | 'zcta';

/** The delineation of tracts that a product is published on. Connecticut's change of 2022 counts as 2020. */
export type TractVintage = 2010 | 2020;
