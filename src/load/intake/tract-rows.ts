import type { Geoid } from '../../core/geoid.js';

/** A tract of the spine with its internal point (gazetteer INTPTLAT/INTPTLONG, degrees) and areas in square metres. */
export interface TractRow {
  readonly geoid: Geoid;
  readonly lat: number;
  readonly lng: number;
  readonly landSqm: number;
  readonly waterSqm: number;
}

/**
 * A tract's outline: rings of interleaved x,y (lng,lat) in whole 1e-7 degrees, each closed (the last vertex repeats the
 * first). A point is inside the outline if it is within an odd number of rings.
 */
export interface Outline {
  readonly geoid: Geoid;
  readonly rings: readonly Int32Array[];
}

/** The overlap of a 2010 and a 2020 tract (Census tract relationship file); areas in square metres. */
export interface TractOverlap {
  readonly geoid2010: Geoid;
  readonly geoid2020: Geoid;
  readonly landPartSqm: number;
  readonly land2010Sqm: number;
  readonly land2020Sqm: number;
  readonly waterPartSqm: number;
  readonly water2010Sqm: number;
  readonly water2020Sqm: number;
}

/** What a published GEOID resolves to: the loaded tract that its values belong to, or why there is none. */
export type Bridged = Geoid | { readonly reject: string } | { readonly leave: string };
