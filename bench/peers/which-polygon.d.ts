/** The part of which-polygon 2 that the bench uses; the package has no types. */
declare module 'which-polygon' {
  import type { FeatureCollection, Polygon } from 'geojson';

  /** Indexes polygons. The returned query takes [longitude, latitude] and gives a polygon's properties, or null. */
  function whichPolygon<P>(polygons: FeatureCollection<Polygon, P>): (point: readonly [number, number]) => P | null;
  // The package is a CommonJS module whose only export is this function.
  export = whichPolygon;
}
