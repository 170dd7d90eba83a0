import type { Feature, Polygon } from 'geojson';
import whichPolygon from 'which-polygon';
import { signedArea } from '../../src/core/signed-area.js';

type Ring = Int32Array;

/**
 * The yardstick: which-polygon over the same outlines, as GeoJSON polygons in degrees. Returns a function from
 * [longitude, latitude] to a row, or null.
 */
export function buildPolygonIndex(
  rowCount: number,
  ringsOf: (row: number) => readonly Ring[],
): (point: readonly [number, number]) => { readonly row: number } | null {
  const features: Feature<Polygon, { row: number }>[] = [];
  for (let row = 0; row < rowCount; row++) {
    for (const rings of polygonsOf(ringsOf(row))) {
      const coordinates = rings.map(toDegrees);
      features.push({ type: 'Feature', properties: { row }, geometry: { type: 'Polygon', coordinates } });
    }
  }
  return whichPolygon({ type: 'FeatureCollection', features });
}

/**
 * Groups a tract's rings into polygons, each an outer ring followed by its holes. In shapefiles outer rings wind one way and
 * holes the other; the largest ring is an outer one.
 */
export function polygonsOf(rings: readonly Ring[]): Ring[][] {
  const measured = rings
    .map((ring) => ({ ring, area: signedArea(ring) }))
    .sort((a, b) => Math.abs(b.area) - Math.abs(a.area));
  const outward = Math.sign(measured[0]?.area ?? 0);
  const polygons = measured.filter(({ area }) => Math.sign(area) === outward).map(({ ring }) => [ring]);
  for (const { ring, area } of measured) {
    if (Math.sign(area) === outward) continue;
    // Searches from the smallest polygon up, because an island in a lake may itself have lakes.
    const around = polygons.toReversed().find(([outer]) => outer !== undefined && surrounds(outer, ring));
    if (around) around.push(ring);
    else polygons.push([ring]);
  }
  return polygons;
}

/** Whether most of a ring's vertices lie inside another; one vertex is not enough, since rings of a polygon may touch. */
function surrounds(outer: Ring, inner: Ring): boolean {
  let inside = 0;
  for (let at = 0; at + 3 < inner.length; at += 2) if (isInside(outer, inner[at] ?? 0, inner[at + 1] ?? 0)) inside++;
  return inside * 2 > inner.length / 2 - 1;
}

function isInside(ring: Ring, x: number, y: number): boolean {
  let inside = false;
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = ring.subarray(at, at + 4);
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

function toDegrees(ring: Ring): [number, number][] {
  const points: [number, number][] = [];
  for (let at = 0; at < ring.length; at += 2) points.push([(ring[at] ?? 0) / 1e7, (ring[at + 1] ?? 0) / 1e7]);
  return points;
}
