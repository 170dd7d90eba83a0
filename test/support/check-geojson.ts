import { expect } from 'vitest';

export type Position = readonly [lng: number, lat: number];
export type PolygonCoordinates = readonly (readonly Position[])[];

/** A parsed feature, by RFC 7946. */
export interface ReadFeature {
  readonly type: string;
  readonly properties: Readonly<Record<string, string | number | null>>;
  readonly geometry:
    | { readonly type: 'Polygon'; readonly coordinates: PolygonCoordinates }
    | { readonly type: 'MultiPolygon'; readonly coordinates: readonly PolygonCoordinates[] }
    | null;
}

export interface ReadCollection {
  readonly type: string;
  readonly features: readonly ReadFeature[];
}

export function readCollection(body: Uint8Array): ReadCollection {
  return JSON.parse(Buffer.from(body).toString('utf8'));
}

/** A feature's polygons; empty if it has no geometry. */
export function polygonsOf({ geometry }: ReadFeature): readonly PolygonCoordinates[] {
  if (!geometry) return [];
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
}

const units = ([lng, lat]: Position): readonly [bigint, bigint] => [
  BigInt(Math.round(lng * 1e7)),
  BigInt(Math.round(lat * 1e7)),
];

/** Twice the signed area, exactly, in 1e-7 degrees squared; positive if the ring is counter-clockwise. */
export function twiceAreaOf(ring: readonly Position[]): bigint {
  const points = ring.map(units);
  return points.reduce((sum, [ax, ay], at) => {
    const [bx, by] = points[(at + 1) % points.length] ?? [ax, ay];
    return sum + ax * by - bx * ay;
  }, 0n);
}

/**
 * Fails unless all polygons are as RFC 7946 requires: closed rings of at least four positions, outer rings
 * counter-clockwise, holes clockwise and inside their outer ring's bounding box, coordinates in range. Coordinates must
 * also have at most 7 decimals.
 */
export function expectValidPolygons(features: readonly ReadFeature[]): void {
  for (const feature of features) {
    expect(feature.type).toBe('Feature');
    const polygons = polygonsOf(feature);
    if (feature.geometry?.type === 'MultiPolygon') expect(polygons.length).toBeGreaterThan(1);
    for (const [outer = [], ...holes] of polygons) {
      expectRing(outer);
      expect(twiceAreaOf(outer) > 0n).toBe(true);
      for (const hole of holes) {
        expectRing(hole);
        expect(twiceAreaOf(hole) < 0n).toBe(true);
        expectWithinBox(hole, outer);
      }
    }
  }
}

function expectRing(ring: readonly Position[]): void {
  expect(ring.length).toBeGreaterThanOrEqual(4);
  expect(ring.at(-1)).toEqual(ring[0]);
  for (const position of ring) {
    const [lng, lat] = position;
    if (position.length !== 2 || Math.abs(lng) > 180 || Math.abs(lat) > 90) throw new Error(`no position: ${position}`);
    if (Number(lng.toFixed(7)) !== lng || Number(lat.toFixed(7)) !== lat) throw new Error(`too fine: ${position}`);
  }
}

function expectWithinBox(inner: readonly Position[], outer: readonly Position[]): void {
  for (const axis of [0, 1] as const) {
    const of = (ring: readonly Position[]): number[] => ring.map((position) => position[axis]);
    expect(Math.min(...of(inner))).toBeGreaterThanOrEqual(Math.min(...of(outer)));
    expect(Math.max(...of(inner))).toBeLessThanOrEqual(Math.max(...of(outer)));
  }
}
