/** The agencies' products that the loader knows; the keys of `datasets/sources.json`. */
export type SourceId =
  | 'gazetteer'
  | 'tiger'
  | 'cenpop'
  | 'acs'
  | 'svi'
  | 'places'
  | 'ejscreen'
  | 'ct-crosswalk'
  | 'tract-relationship';

/** Which delineation of tracts a product is published on. Connecticut's change of 2022 is within 2020. */
export type TractVintage = 2010 | 2020;
